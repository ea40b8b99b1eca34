package io.rdmanet.ffm.connection;

import io.rdmanet.ffm.c.Librdmacm;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.ffm.connection.CommunicationIdentifier.EventReader;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.internal.provider.ConnectionProgress;
import io.rdmanet.internal.provider.ConnectionProgress.State;
import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One end of a connection, through librdmacm.
///
/// librdmacm makes the connection, but the queue pair is an ordinary one of ours: librdmacm is told
/// its number, and tells in turn what to modify it to. Whatever fails on the way destroys the
/// `rdma_cm_id` at once, so that the peer learns of it; what is left then is to be closed.
final class FfmConnectionIdentifier implements ConnectionIdentifier {
    private static final String GET_EVENT = "rdma_get_cm_event";
    private static final int MAX_REJECTION_PRIVATE_DATA = 148;

    /// What `rdma_conn_param` takes for as many RDMA READs as the device can.
    private static final int AS_MANY_AS_POSSIBLE = 255;

    private static final byte[] NO_DATA = {};

    private final FfmConnectionManager manager;
    private final CommunicationIdentifier identifier;
    private final Context context;
    private final int portNumber;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final boolean isRequest;
    private final ConnectionProgress progress;

    private final AtomicBoolean isQueuePairAsked = new AtomicBoolean();
    private final AtomicBoolean isQueuePairInError = new AtomicBoolean();
    private final AtomicBoolean isGoodbyeSaid = new AtomicBoolean();

    /// The peer has confirmed the end, or the device has gone.
    private volatile boolean isOver;

    /// A field, since a method reference at each poll would be an object at each poll.
    private final EventReader<ConnectionEvent> meaning = this::meaning;

    private volatile @Nullable QueuePair queuePair;
    private volatile byte[] privateData = NO_DATA;

    private FfmConnectionIdentifier(
            FfmConnectionManager manager,
            CommunicationIdentifier identifier,
            InetSocketAddress remote,
            State first)
            throws VerbsException {
        InetSocketAddress source = identifier.localAddress();
        if (source == null) {
            throw new VerbsException("rdma_get_local_addr", identifier + " has no local address");
        }
        identifier.rename(
                "the connection "
                        + AddressText.describe(source)
                        + (first == State.REQUESTED ? " from " : " to ")
                        + AddressText.describe(remote));
        this.manager = manager;
        this.identifier = identifier;
        this.context = manager.context(identifier);
        this.portNumber = identifier.portNumber();
        this.local = source;
        this.remote = remote;
        this.isRequest = first == State.REQUESTED;
        this.progress = new ConnectionProgress(identifier, first);
    }

    /// The active side.
    ///
    /// @param identifier its route is resolved
    static FfmConnectionIdentifier dialling(
            FfmConnectionManager manager,
            CommunicationIdentifier identifier,
            InetSocketAddress remote)
            throws VerbsException {
        return new FfmConnectionIdentifier(manager, identifier, remote, State.IDLE);
    }

    /// The passive side.
    static FfmConnectionIdentifier requested(
            FfmConnectionManager manager,
            CommunicationIdentifier identifier,
            InetSocketAddress remote,
            byte[] privateData)
            throws VerbsException {
        FfmConnectionIdentifier requested =
                new FfmConnectionIdentifier(manager, identifier, remote, State.REQUESTED);
        requested.privateData = privateData;
        return requested;
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public int portNumber() {
        return portNumber;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public QueuePair createQueuePair(
            ProtectionDomain protectionDomain, QueuePairInitialAttributes attributes)
            throws VerbsException {
        if (!protectionDomain.context().equals(context)) {
            throw new IllegalArgumentException(
                    "the protection domain belongs to another device than " + this);
        }
        if (attributes.type() != QueuePairType.RELIABLE_CONNECTION) {
            throw new IllegalArgumentException(
                    this + " needs a queue pair of RELIABLE_CONNECTION, not " + attributes.type());
        }
        progress.throwIfClosed("rdma_create_qp");
        State state = progress.state();
        if ((state != State.IDLE && state != State.REQUESTED)
                || !isQueuePairAsked.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "rdma_create_qp: " + this + " is " + state + " or has a queue pair already");
        }
        QueuePair created = null;
        try {
            created = protectionDomain.createQueuePair(attributes);
            new QueuePairConnector(identifier, remote).initialise(created);
            queuePair = created;
            progress.throwIfClosed("rdma_create_qp");
            return created;
        } catch (VerbsException | RuntimeException e) {
            queuePair = null;
            if (created != null) {
                created.close();
            }
            isQueuePairAsked.set(false);
            throw e;
        }
    }

    @Override
    public void connect(ConnectionParameters parameters, long timeoutNanos) throws VerbsException {
        requirePrivateData(parameters.privateData(), ConnectionParameters.MAX_REQUEST_PRIVATE_DATA);
        if (isRequest) {
            throw new IllegalStateException("rdma_connect: " + this + " is a request to accept");
        }
        Handshake handshake = begin("rdma_connect", parameters, State.IDLE, State.CONNECTING);
        try {
            privateData = handshake.connect(timeoutNanos);
            progress.finish("rdma_connect");
        } catch (VerbsException | RuntimeException e) {
            throw failed("rdma_connect", e);
        }
    }

    @Override
    public void accept(ConnectionParameters parameters, long timeoutNanos) throws VerbsException {
        requirePrivateData(parameters.privateData(), ConnectionParameters.MAX_ACCEPT_PRIVATE_DATA);
        if (!isRequest) {
            throw new IllegalStateException("rdma_accept: " + this + " dials; nobody asked it");
        }
        Handshake handshake = begin("rdma_accept", parameters, State.REQUESTED, State.ACCEPTING);
        try {
            handshake.accept(timeoutNanos);
            progress.finish("rdma_accept");
        } catch (VerbsException | RuntimeException e) {
            throw failed("rdma_accept", e);
        }
    }

    private Handshake begin(String verb, ConnectionParameters parameters, State from, State to)
            throws VerbsException {
        QueuePair own = queuePair;
        if (own == null) {
            throw new IllegalStateException(
                    verb + ": " + this + " has no queue pair yet: create it first");
        }
        int most = context.queryDevice().maxReadAtomic();
        requireDepth("responderResources", parameters.responderResources(), most);
        requireDepth("initiatorDepth", parameters.initiatorDepth(), most);
        progress.begin(verb, from, to);
        return new Handshake(identifier, remote, own, parameters);
    }

    private void requireDepth(String name, int value, int most) {
        if (value != AS_MANY_AS_POSSIBLE && value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + ", but " + context.deviceName() + " can " + most);
        }
    }

    /// The attempt is over, and the peer is told if it still waits for something.
    private VerbsException failed(String verb, Exception failure) {
        progress.fail();
        identifier.destroy();
        if (progress.state() == State.CLOSED) {
            // Then it is that which made it fail, whatever it looked like.
            VerbsException closed = ConnectionFailure.closed(verb, this);
            closed.initCause(failure);
            return closed;
        }
        if (failure instanceof RuntimeException unexpected) {
            throw unexpected;
        }
        return (VerbsException) failure;
    }

    @Override
    public void reject(byte[] data) throws VerbsException {
        requirePrivateData(data, MAX_REJECTION_PRIVATE_DATA);
        if (!isRequest) {
            throw new IllegalStateException("rdma_reject: " + this + " dials; nobody asked it");
        }
        progress.begin("rdma_reject", State.REQUESTED, State.FAILED);
        long result;
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocateFrom(ValueLayout.JAVA_BYTE, data).address();
            result =
                    identifier.call(
                            "rdma_reject", id -> Librdmacm.rdma_reject(id, address, data.length));
        }
        identifier.destroy();
        if (Result.isFailure(result)) {
            throw FfmConnectionFailure.refused("rdma_reject", Result.errorNumber(result), remote);
        }
    }

    @Override
    public @Nullable ConnectionEvent pollEvent() throws VerbsException {
        return awaitEvent(0);
    }

    @Override
    public @Nullable ConnectionEvent awaitEvent(long timeoutNanos) throws VerbsException {
        long start = timeoutNanos > 0 ? System.nanoTime() : 0;
        if (!progress.awaitConnection(GET_EVENT, timeoutNanos)) {
            return null;
        }
        long left = timeoutNanos > 0 ? timeoutNanos - (System.nanoTime() - start) : 0;
        return identifier.awaitEvent(GET_EVENT, left, meaning);
    }

    private @Nullable ConnectionEvent meaning(CommunicationEvent event) {
        return switch (event.type()) {
            case DISCONNECTED -> {
                isOver = true;
                progress.end();
                sayGoodbye(); // which the peer waits for, if it was the first to say it
                yield ConnectionEvent.DISCONNECTED;
            }
            case DEVICE_REMOVAL -> {
                isOver = true;
                progress.end();
                manager.onDeviceRemoved(context);
                yield ConnectionEvent.DEVICE_REMOVED;
            }
            case ADDR_CHANGE -> ConnectionEvent.ADDRESS_CHANGED;
            case TIMEWAIT_EXIT -> ConnectionEvent.TIME_WAIT_EXIT;
            default -> null; // answers to calls that have given up
        };
    }

    @Override
    public void disconnect() throws VerbsException {
        State before = progress.end();
        if (before != State.CONNECTED && before != State.ENDED) {
            return;
        }
        QueuePair own = queuePair;
        try {
            // Also after the peer's disconnection: it is this that flushes the queues.
            if (own != null && isQueuePairInError.compareAndSet(false, true)) {
                own.modify(QueuePairAttributes.to(QueuePairState.ERROR));
            }
        } catch (IllegalStateException closedByTheProgram) {
            // Every state may go to ERROR, so the queue pair is no more: nothing is left to flush.
        } finally {
            sayGoodbye();
        }
    }

    /// Sends DREQ, or DREP if that was the peer's. The kernel does not mind if the peer has gone.
    private void sayGoodbye() {
        if (isGoodbyeSaid.compareAndSet(false, true)) {
            long _ = identifier.disconnect();
        }
    }

    @Override
    public void close() {
        State before = progress.close();
        if (before == State.CLOSED) {
            return;
        }
        identifier.close();
        QueuePair own = queuePair;
        try {
            if (own != null) {
                own.close();
            }
        } finally {
            boolean hasStood = before == State.CONNECTED || before == State.ENDED;
            if (hasStood && !isOver) {
                sayGoodbye();
                Farewells.take(identifier);
            } else {
                identifier.destroy();
            }
            manager.forget(this);
        }
    }

    private static void requirePrivateData(byte[] data, int most) {
        if (data.length > most) {
            throw new IllegalArgumentException(
                    "at most " + most + " bytes of private data fit, not " + data.length);
        }
    }

    @Override
    public String toString() {
        return identifier.toString();
    }
}
