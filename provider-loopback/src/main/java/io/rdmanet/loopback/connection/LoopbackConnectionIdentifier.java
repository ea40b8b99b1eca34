package io.rdmanet.loopback.connection;

import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.loopback.connection.ConnectionProgress.State;
import io.rdmanet.loopback.connection.ConnectionRecord.Refusal;
import io.rdmanet.loopback.connection.ConnectionRecord.Step;
import io.rdmanet.loopback.link.UnixConnector;
import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One end of a connection: dials or answers, and leads the queue pair there.
///
/// Calls do the work on the queue pair themselves; the device's thread only tells
/// [ConnectionProgress] what arrives. The fields below are written once each, and `isClosed` is
/// looked at after they are: whoever writes them late, beside a close, cleans up himself.
final class LoopbackConnectionIdentifier implements ConnectionIdentifier, RecordChannel.Receiver {
    /// Dialling looks that often whether the identifier has been closed meanwhile.
    private static final long DIAL_SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final byte[] NO_DATA = {};

    private final LoopbackConnectionManager manager;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final ConnectionProgress progress;

    /// The passive side's: where the request waits, and what it is.
    private final @Nullable LoopbackConnectionListener listener;

    private final @Nullable ConnectionRecord request;

    private final AtomicBoolean isQueuePairAsked = new AtomicBoolean();
    private final AtomicBoolean isQueuePairInError = new AtomicBoolean();
    private volatile @Nullable QueuePair queuePair;
    private volatile @Nullable RecordChannel channel;
    private volatile byte[] privateData = NO_DATA;

    private LoopbackConnectionIdentifier(
            LoopbackConnectionManager manager,
            InetSocketAddress local,
            InetSocketAddress remote,
            @Nullable LoopbackConnectionListener listener,
            @Nullable ConnectionRecord request) {
        this.manager = manager;
        this.local = local;
        this.remote = remote;
        this.listener = listener;
        this.request = request;
        this.progress =
                new ConnectionProgress(
                        toString(), remote, request == null ? State.IDLE : State.REQUESTED);
    }

    /// The active side.
    static LoopbackConnectionIdentifier dialling(
            LoopbackConnectionManager manager, InetSocketAddress local, InetSocketAddress remote) {
        return new LoopbackConnectionIdentifier(manager, local, remote, null, null);
    }

    /// The passive side. The addresses are the client's, mirrored.
    static LoopbackConnectionIdentifier requested(
            LoopbackConnectionManager manager,
            LoopbackConnectionListener listener,
            RecordChannel channel,
            ConnectionRecord request) {
        LoopbackConnectionIdentifier identifier =
                new LoopbackConnectionIdentifier(
                        manager, request.destination(), request.source(), listener, request);
        identifier.channel = channel;
        identifier.privateData = request.privateData();
        return identifier;
    }

    @Override
    public Context context() {
        return manager.context();
    }

    @Override
    public int portNumber() {
        return QueuePairConnector.PORT_NUMBER;
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
        if (!protectionDomain.context().equals(context())) {
            throw new IllegalArgumentException(
                    "the protection domain belongs to another device than " + this);
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
            QueuePairConnector.initialise(created);
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
        requirePrivateData(parameters.privateData(), Step.REQUEST);
        QueuePair own = requireQueuePair("rdma_connect");
        progress.begin("rdma_connect", State.IDLE, State.CONNECTING);
        long deadline = System.nanoTime() + timeoutNanos;
        try {
            int sequence = QueuePairConnector.randomPacketSequenceNumber();
            RecordChannel socket = dial(deadline);
            socket.send(record(Step.REQUEST, own, sequence, parameters));
            socket.start();
            ConnectionRecord reply = progress.awaitAnswer(deadline, timeoutNanos);
            if (reply.step() == Step.REJECTION) {
                throw LoopbackConnectionFailure.rejected(remote, reply);
            }
            privateData = reply.privateData();
            QueuePairConnector.connect("rdma_connect", own, sequence, reply, remote, parameters);
            socket.send(ConnectionRecord.of(Step.READY_TO_USE, ownInstance(), local, remote));
            progress.finishConnecting();
        } catch (VerbsException | RuntimeException e) {
            fail();
            throw e;
        } catch (IOException e) {
            fail();
            throw LoopbackConnectionFailure.peerGone("rdma_connect", remote, e);
        }
    }

    private RecordChannel dial(long deadline) throws VerbsException {
        try {
            SocketChannel socket = connectSocket(deadline);
            RecordChannel dialled = new RecordChannel(socket, manager.hub().reactor(), this);
            channel = dialled;
            if (progress.state() == State.CLOSED) {
                dialled.close();
                throw ConnectionFailure.closed("rdma_connect", this);
            }
            return dialled;
        } catch (ConnectException e) {
            throw LoopbackConnectionFailure.nobodyListens(remote, e);
        } catch (InterruptedException e) {
            throw ConnectionFailure.interrupted("rdma_connect", this);
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            Reason reason =
                    e instanceof SocketTimeoutException ? Reason.UNREACHABLE : Reason.CONNECT_ERROR;
            throw LoopbackConnectionFailure.of(
                    "rdma_connect", reason, AddressText.describe(remote) + ": " + e, e);
        }
    }

    private SocketChannel connectSocket(long deadline) throws IOException, InterruptedException {
        Path path = manager.hub().instance().rendezvous().listenerSocket(remote.getPort());
        while (true) {
            long left = deadline - System.nanoTime();
            try {
                return UnixConnector.connect(path, Math.min(left, DIAL_SLICE_NANOS));
            } catch (SocketTimeoutException e) {
                progress.throwIfClosed("rdma_connect");
                if (left <= DIAL_SLICE_NANOS) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void accept(ConnectionParameters parameters, long timeoutNanos) throws VerbsException {
        ConnectionRecord client = request;
        RecordChannel socket = channel;
        if (client == null || socket == null) {
            throw new IllegalStateException("rdma_accept: " + this + " dials; nobody asked it");
        }
        requirePrivateData(parameters.privateData(), Step.REPLY);
        QueuePair own = requireQueuePair("rdma_accept");
        progress.begin("rdma_accept", State.REQUESTED, State.ACCEPTING);
        long deadline = System.nanoTime() + timeoutNanos;
        try {
            int sequence = QueuePairConnector.randomPacketSequenceNumber();
            QueuePairConnector.connect("rdma_accept", own, sequence, client, remote, parameters);
            // Only now: the client may send as soon as it has read the reply.
            socket.send(record(Step.REPLY, own, sequence, parameters));
            progress.awaitReadyToUse(deadline, timeoutNanos);
        } catch (VerbsException | RuntimeException e) {
            fail();
            throw e;
        } catch (IOException e) {
            fail();
            throw LoopbackConnectionFailure.peerGone("rdma_accept", remote, e);
        }
    }

    @Override
    public void reject(byte[] data) throws VerbsException {
        requirePrivateData(data, Step.REJECTION);
        progress.begin("rdma_reject", State.REQUESTED, State.FAILED);
        hangUp(rejection(Refusal.BY_PROGRAM, data));
    }

    @Override
    public @Nullable ConnectionEvent pollEvent() throws VerbsException {
        return awaitEvent(0);
    }

    @Override
    public @Nullable ConnectionEvent awaitEvent(long timeoutNanos) throws VerbsException {
        return progress.awaitEvent(System.nanoTime() + timeoutNanos);
    }

    @Override
    public void onRecord(RecordChannel from, ConnectionRecord record) throws RecordException {
        if (!progress.accept(record)) {
            from.close();
            withdraw();
        }
    }

    @Override
    public void onEnd(RecordChannel from, Throwable reason) {
        progress.end(reason);
        withdraw();
    }

    private void withdraw() {
        if (listener != null) {
            listener.withdraw(this);
        }
    }

    @Override
    public void disconnect() throws VerbsException {
        State before = progress.disconnect();
        QueuePair own = queuePair;
        try {
            // Also after the peer's disconnection: it is this that flushes the queues.
            if ((before == State.CONNECTED || before == State.ENDED)
                    && own != null
                    && isQueuePairInError.compareAndSet(false, true)) {
                own.modify(QueuePairAttributes.to(QueuePairState.ERROR));
            }
        } catch (IllegalStateException closedByTheProgram) {
            // Every state may go to ERROR, so the queue pair is no more: nothing is left to flush.
        } finally {
            if (before == State.CONNECTED) {
                hangUp(disconnection());
            }
        }
    }

    @Override
    public void close() {
        State before = progress.close();
        if (before == State.CLOSED) {
            return;
        }
        QueuePair own = queuePair;
        try {
            if (own != null) {
                own.close();
            }
        } finally {
            boolean isUnanswered = before == State.REQUESTED || before == State.ACCEPTING;
            hangUp(isUnanswered ? rejection(Refusal.CLOSED, NO_DATA) : disconnection());
            manager.forget(this);
        }
    }

    /// The attempt is over, and the peer is told if it still waits for something.
    private void fail() {
        if (progress.fail() != State.CLOSED) {
            hangUp(rejection(Refusal.FAILED, NO_DATA));
        }
    }

    private void hangUp(ConnectionRecord lastWords) {
        RecordChannel socket = channel;
        if (socket != null) {
            socket.sendIfPossible(lastWords);
            socket.close();
        }
    }

    private ConnectionRecord rejection(Refusal refusal, byte[] data) {
        return ConnectionRecord.rejection(refusal, ownInstance(), local, remote, data);
    }

    private ConnectionRecord disconnection() {
        return ConnectionRecord.of(Step.DISCONNECTION, ownInstance(), local, remote);
    }

    private ConnectionRecord record(
            Step step, QueuePair own, int sequence, ConnectionParameters parameters) {
        return new ConnectionRecord(
                step,
                Refusal.NONE,
                ownInstance(),
                own.number(),
                sequence,
                parameters.responderResources(),
                parameters.initiatorDepth(),
                parameters.retryCount(),
                parameters.rnrRetryCount(),
                local,
                remote,
                parameters.privateData());
    }

    /// For tests.
    @Nullable QueuePair queuePair() {
        return queuePair;
    }

    private QueuePair requireQueuePair(String verb) {
        QueuePair own = queuePair;
        if (own == null) {
            throw new IllegalStateException(
                    verb + ": " + this + " has no queue pair yet: create it first");
        }
        return own;
    }

    private static void requirePrivateData(byte[] data, Step step) {
        if (data.length > step.maxPrivateData) {
            throw new IllegalArgumentException(
                    step
                            + " carries at most "
                            + step.maxPrivateData
                            + " bytes of private data, not "
                            + data.length);
        }
    }

    private long ownInstance() {
        return manager.hub().instance().id();
    }

    @Override
    public String toString() {
        return "the loopback connection "
                + AddressText.describe(local)
                + " to "
                + AddressText.describe(remote);
    }
}
