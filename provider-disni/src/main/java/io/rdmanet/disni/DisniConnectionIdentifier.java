package io.rdmanet.disni;

import com.ibm.disni.verbs.RdmaConnParam;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.internal.provider.ConnectionProgress;
import io.rdmanet.internal.provider.ConnectionProgress.State;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One end of a connection, through DiSNI. The queue pair is librdmacm's to connect.
///
/// Of the parameters of a connection DiSNI passes on the two retry counts. The other two it sets to
/// what the device can, so they are never less than what was asked for.
final class DisniConnectionIdentifier implements ConnectionIdentifier {
    private static final String CONNECT = "rdma_connect";
    private static final String ACCEPT = "rdma_accept";
    private static final String GET_EVENT = "rdma_get_cm_event";

    private final DisniConnectionManager manager;
    private final CommunicationIdentifier identifier;
    private final DisniContext context;
    private final int portNumber;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final boolean isRequest;
    private final ConnectionProgress progress;
    private final AtomicBoolean isQueuePairAsked = new AtomicBoolean();
    private volatile @Nullable DisniQueuePair queuePair;

    // Guarded by the monitor, which only closing takes.
    private boolean hasStood;
    private boolean isReleased;

    private DisniConnectionIdentifier(
            DisniConnectionManager manager,
            CommunicationIdentifier identifier,
            InetSocketAddress remote,
            State first)
            throws VerbsException {
        InetSocketAddress source = localAddress(identifier);
        identifier.rename(
                "the connection "
                        + AddressText.describe(source)
                        + (first == State.REQUESTED ? " from " : " to ")
                        + AddressText.describe(remote));
        this.manager = manager;
        this.identifier = identifier;
        this.context = manager.context(identifier, source.getAddress());
        this.portNumber = manager.portNumber(source.getAddress());
        this.local = source;
        this.remote = remote;
        this.isRequest = first == State.REQUESTED;
        this.progress = new ConnectionProgress(identifier, first);
    }

    private static InetSocketAddress localAddress(CommunicationIdentifier identifier)
            throws VerbsException {
        InetSocketAddress source = null;
        try {
            source = identifier.localAddress();
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw DisniFailure.of("rdma_get_local_addr", e, identifier.toString());
        }
        if (source == null) {
            throw new VerbsException("rdma_get_local_addr", identifier + " has no local address");
        }
        return source;
    }

    /// The active side.
    ///
    /// @param identifier its route is resolved
    static DisniConnectionIdentifier dialling(
            DisniConnectionManager manager,
            CommunicationIdentifier identifier,
            InetSocketAddress remote)
            throws VerbsException {
        return new DisniConnectionIdentifier(manager, identifier, remote, State.IDLE);
    }

    /// The passive side.
    static DisniConnectionIdentifier requested(
            DisniConnectionManager manager,
            CommunicationIdentifier identifier,
            InetSocketAddress remote)
            throws VerbsException {
        return new DisniConnectionIdentifier(manager, identifier, remote, State.REQUESTED);
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

    /// Always empty: DiSNI does not pass it on.
    @Override
    public byte[] privateData() {
        return new byte[0];
    }

    @Override
    public QueuePair createQueuePair(
            ProtectionDomain protectionDomain, QueuePairInitialAttributes attributes)
            throws VerbsException {
        if (!(protectionDomain instanceof DisniProtectionDomain domain)
                || domain.context() != context) {
            throw new IllegalArgumentException(
                    "the protection domain belongs to another device than " + this);
        }
        DisniQueuePair.requireSupported(context.provider(), attributes);
        progress.throwIfClosed("rdma_create_qp");
        State state = progress.state();
        if ((state != State.IDLE && state != State.REQUESTED)
                || !isQueuePairAsked.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "rdma_create_qp: " + this + " is " + state + " or has a queue pair already");
        }
        DisniQueuePair created = null;
        boolean isDone = false;
        try {
            created =
                    QueuePairCreation.create(
                            domain, attributes, identifier, isRequest ? remote : null);
            queuePair = created;
            // Whoever closed meanwhile may have looked for it before it was there.
            progress.throwIfClosed("rdma_create_qp");
            isDone = true;
            return created;
        } finally {
            if (!isDone) {
                queuePair = null;
                if (created != null) {
                    created.close();
                }
                isQueuePairAsked.set(false);
            }
        }
    }

    @Override
    public void connect(ConnectionParameters parameters, long timeoutNanos) throws VerbsException {
        requireNoData(parameters.privateData());
        if (isRequest) {
            throw new IllegalStateException(CONNECT + ": " + this + " is a request to accept");
        }
        DisniQueuePair own = requireQueuePair(CONNECT);
        progress.begin(CONNECT, State.IDLE, State.CONNECTING);
        try {
            begin(CONNECT, parameters);
            awaitEstablished(CONNECT, timeoutNanos, "answered the request");
            own.onConnected();
            progress.finish(CONNECT);
        } catch (VerbsException | RuntimeException e) {
            throw failed(CONNECT, e);
        }
    }

    @Override
    public void accept(ConnectionParameters parameters, long timeoutNanos) throws VerbsException {
        requireNoData(parameters.privateData());
        if (!isRequest) {
            throw new IllegalStateException(ACCEPT + ": " + this + " dials; nobody asked it");
        }
        DisniQueuePair own = requireQueuePair(ACCEPT);
        progress.begin(ACCEPT, State.REQUESTED, State.ACCEPTING);
        try {
            begin(ACCEPT, parameters);
            awaitEstablished(ACCEPT, timeoutNanos, "confirmed the connection");
            own.onConnected();
            progress.finish(ACCEPT);
        } catch (VerbsException | RuntimeException e) {
            throw failed(ACCEPT, e);
        }
    }

    private DisniQueuePair requireQueuePair(String verb) {
        DisniQueuePair own = queuePair;
        if (own == null) {
            throw new IllegalStateException(
                    verb + ": " + this + " has no queue pair yet: create it first");
        }
        return own;
    }

    private void begin(String verb, ConnectionParameters parameters) throws VerbsException {
        try {
            RdmaConnParam passedOn = new RdmaConnParam();
            passedOn.setRetry_count((byte) parameters.retryCount());
            passedOn.setRnr_retry_count((byte) parameters.rnrRetryCount());
            identifier.call(
                    verb,
                    (cm, id) -> {
                        if (isRequest) {
                            cm.accept(id, passedOn);
                        } else {
                            cm.connect(id, passedOn);
                        }
                        return null;
                    });
        } catch (IOException e) {
            if (isRequest && DisniFailure.errno(e) == ErrorNumber.EINVAL) {
                throw ConnectionFailure.peerGone(verb, remote, DisniFailure.text(e));
            }
            throw DisniConnectionFailure.refused(verb, e, remote, Reason.CONNECT_ERROR);
        }
    }

    private void awaitEstablished(String verb, long timeoutNanos, String what)
            throws VerbsException {
        long start = System.nanoTime();
        while (true) {
            long left = timeoutNanos - (System.nanoTime() - start);
            CommunicationEvent answer = identifier.awaitEvent(verb, left);
            if (answer == null) {
                throw ConnectionFailure.timedOut(verb, remote, what, timeoutNanos);
            }
            switch (answer.type()) {
                case ESTABLISHED -> {
                    return;
                }
                case ADDR_CHANGE -> {} // of no interest to a connection that does not stand yet
                default -> throw DisniConnectionFailure.of(verb, answer, remote, isRequest);
            }
        }
    }

    /// The attempt is over, and the peer is told if it still waits for something.
    private VerbsException failed(String verb, Exception failure) {
        progress.fail();
        DisniQueuePair own = queuePair;
        if (own != null) {
            own.fail();
        }
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

    /// Rejects by destroying, since DiSNI has no other way.
    @Override
    public void reject(byte[] data) throws VerbsException {
        requireNoData(data);
        if (!isRequest) {
            throw new IllegalStateException("rdma_reject: " + this + " dials; nobody asked it");
        }
        progress.begin("rdma_reject", State.REQUESTED, State.FAILED);
        DisniQueuePair own = queuePair;
        if (own != null) {
            own.close();
        }
        identifier.destroy();
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
        while (true) {
            long left = timeoutNanos > 0 ? timeoutNanos - (System.nanoTime() - start) : 0;
            CommunicationEvent event =
                    left > 0
                            ? identifier.awaitEvent(GET_EVENT, left)
                            : identifier.pollEvent(GET_EVENT);
            if (event == null) {
                return null;
            }
            ConnectionEvent meaning = meaning(event);
            if (meaning != null) {
                return meaning;
            }
        }
    }

    /// After the peer's goodbye the own queue pair stays as it is: what has arrived can be polled,
    /// and whoever has done so disconnects too, or closes, which answers the peer.
    private @Nullable ConnectionEvent meaning(CommunicationEvent event) {
        return switch (event.type()) {
            case DISCONNECTED -> {
                State ignored = progress.end();
                yield ConnectionEvent.DISCONNECTED;
            }
            case DEVICE_REMOVAL -> {
                State ignored = progress.end();
                yield ConnectionEvent.DEVICE_REMOVED;
            }
            case ADDR_CHANGE -> ConnectionEvent.ADDRESS_CHANGED;
            case TIMEWAIT_EXIT -> ConnectionEvent.TIME_WAIT_EXIT;
            default -> null; // answers to calls that have given up
        };
    }

    @Override
    public void disconnect() {
        State before = progress.end();
        if (before != State.CONNECTED && before != State.ENDED) {
            return;
        }
        DisniQueuePair own = queuePair;
        if (own != null) {
            own.fail();
        }
    }

    /// Refused as long as a thread is inside a call on the queue pair; to be tried again then.
    @Override
    public synchronized void close() {
        if (isReleased) {
            return;
        }
        State before = progress.close();
        hasStood |= before == State.CONNECTED || before == State.ENDED;
        identifier.close();
        DisniQueuePair own = queuePair;
        try {
            if (own != null) {
                if (hasStood) {
                    own.onDisconnected();
                }
                own.close();
            }
        } finally {
            if (own == null || !own.isOpen()) {
                release();
            }
        }
    }

    private void release() {
        isReleased = true;
        if (hasStood) {
            identifier.destroyAfterGoodbye();
        } else {
            identifier.destroy();
        }
        manager.forget(this);
    }

    private void requireNoData(byte[] data) throws VerbsException {
        if (data.length > 0) {
            context.provider().require(Capability.PRIVATE_DATA);
        }
    }

    @Override
    public String toString() {
        return identifier.toString();
    }
}
