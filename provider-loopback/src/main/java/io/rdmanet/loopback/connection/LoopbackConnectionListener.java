package io.rdmanet.loopback.connection;

import io.rdmanet.loopback.connection.ConnectionRecord.Refusal;
import io.rdmanet.loopback.connection.ConnectionRecord.Step;
import io.rdmanet.loopback.link.PortClaim;
import io.rdmanet.loopback.link.UnixAcceptor;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Takes connection requests. Whoever connects and sends garbage, or nothing within two seconds, or
/// is one too many, loses his connection and disturbs nobody.
final class LoopbackConnectionListener implements ConnectionListener, UnixAcceptor.Admission {
    static final int MAX_HALF_OPEN = 64;
    static final long REQUEST_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final byte[] NO_DATA = {};

    private final LoopbackConnectionManager manager;
    private final InetSocketAddress address;
    private final int backlog;
    private final PortClaim claim;
    private final UnixAcceptor acceptor;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Both guarded by `lock`.
    private final ArrayDeque<LoopbackConnectionIdentifier> waiting = new ArrayDeque<>();

    private boolean isClosed;

    /// Who has connected and not said what for, the oldest first. A client sends its request at
    /// once, so it is a silent one who must make room. The reactor's thread alone.
    private final Set<HalfOpen> halfOpen = new LinkedHashSet<>();

    LoopbackConnectionListener(
            LoopbackConnectionManager manager,
            InetSocketAddress address,
            int backlog,
            PortClaim claim,
            UnixAcceptor acceptor) {
        this.manager = manager;
        this.address = address;
        this.backlog = backlog;
        this.claim = claim;
        this.acceptor = acceptor;
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public @Nullable ConnectionIdentifier awaitRequest(long timeoutNanos) throws VerbsException {
        lock.lock();
        try {
            long left = timeoutNanos;
            while (waiting.isEmpty() && !isClosed && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (isClosed) {
                throw new VerbsException("rdma_get_request", this + " is closed");
            }
            LoopbackConnectionIdentifier request = waiting.poll();
            if (request != null) {
                manager.taken(request);
            }
            return request;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(
                    "rdma_get_request", ErrorNumber.EINTR, "interrupted while waiting at " + this);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void admit(SocketChannel socket) {
        HalfOpen client = new HalfOpen(socket);
        if (halfOpen.size() >= MAX_HALF_OPEN) {
            HalfOpen oldest = halfOpen.iterator().next();
            halfOpen.remove(oldest);
            oldest.refuse(Refusal.TOO_MANY_HALF_OPEN, address);
        }
        halfOpen.add(client);
        client.channel.start();
        manager.hub().reactor().schedule(REQUEST_TIMEOUT_NANOS, client::dropIfSilent);
    }

    /// The request's client has gone before anybody took it.
    void withdraw(LoopbackConnectionIdentifier request) {
        lock.lock();
        try {
            waiting.remove(request);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        List<LoopbackConnectionIdentifier> untaken;
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            untaken = new ArrayList<>(waiting);
            waiting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        acceptor.close();
        claim.close();
        untaken.forEach(LoopbackConnectionIdentifier::close);
        manager.hub().reactor().execute(this::dropHalfOpen);
        manager.forget(this);
    }

    private void dropHalfOpen() {
        for (HalfOpen client : halfOpen) {
            client.refuse(Refusal.CLOSED, address);
        }
        halfOpen.clear();
    }

    @Override
    public String toString() {
        return "the loopback listener at " + address;
    }

    /// One client until its request is there. On the reactor's thread.
    private final class HalfOpen implements RecordChannel.Receiver {
        private final RecordChannel channel;

        HalfOpen(SocketChannel socket) {
            this.channel = new RecordChannel(socket, manager.hub().reactor(), this);
        }

        @Override
        public void onRecord(RecordChannel from, ConnectionRecord record) throws RecordException {
            if (record.step() != Step.REQUEST) {
                throw new RecordException("a request was due, not " + record.step(), false);
            }
            halfOpen.remove(this);
            InetSocketAddress reached = record.destination();
            if (reached.getPort() != address.getPort()
                    || (!address.getAddress().isAnyLocalAddress()
                            && !address.getAddress().equals(reached.getAddress()))) {
                refuse(Refusal.OTHER_ADDRESS, record.source());
                return;
            }
            offer(record);
        }

        private void offer(ConnectionRecord record) {
            Refusal refusal;
            lock.lock();
            try {
                refusal =
                        isClosed
                                ? Refusal.CLOSED
                                : waiting.size() < backlog ? Refusal.NONE : Refusal.BACKLOG_FULL;
                if (refusal == Refusal.NONE) {
                    LoopbackConnectionIdentifier request =
                            LoopbackConnectionIdentifier.requested(
                                    manager, LoopbackConnectionListener.this, channel, record);
                    channel.handOver(request);
                    waiting.add(request);
                    changed.signal();
                }
            } finally {
                lock.unlock();
            }
            if (refusal != Refusal.NONE) {
                refuse(refusal, record.source());
            }
        }

        @Override
        public void onEnd(RecordChannel from, Throwable reason) {
            halfOpen.remove(this);
        }

        /// A client of another release learns from our version what is wrong.
        @Override
        public void onMalformed(RecordChannel from, RecordException reason) {
            if (reason.isOfOtherVersion()) {
                refuse(Refusal.OTHER_VERSION, address);
                halfOpen.remove(this);
            }
        }

        void dropIfSilent() {
            if (halfOpen.remove(this)) {
                channel.close();
            }
        }

        void refuse(Refusal refusal, InetSocketAddress client) {
            channel.sendIfPossible(
                    ConnectionRecord.rejection(
                            refusal, manager.hub().instance().id(), address, client, NO_DATA));
            channel.close();
        }
    }
}
