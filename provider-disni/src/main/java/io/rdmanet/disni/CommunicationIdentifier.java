package io.rdmanet.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A `struct rdma_cm_id` of DiSNI's, the events it has got, and calls of it that end before it is
/// destroyed. Safe for use by any thread.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | isDestroyed, hasQueuePair | whoever calls | plain | plain | calls |
/// | events, requests, backlog, isClosed, failure | any thread | plain | plain | lock |
/// | hasNews | any thread, under the lock | volatile | volatile | what it tells of, which is read under the lock |
/// | isAnswered, isWithdrawn, isSettled | the channel's thread, under the lock | volatile | volatile | none: each is set once |
/// | name | whoever knows more | volatile | volatile | none |
final class CommunicationIdentifier {
    /// A call of DiSNI.
    @FunctionalInterface
    interface Call<T extends @Nullable Object> {
        T on(RdmaCm connectionManager, RdmaCmId id) throws IOException;
    }

    private final EventChannel channel;
    private final RdmaCmId id;
    private volatile String name;

    /// Held during calls, which wait for moments at most. Taken before the channel's lock and
    /// `lock`.
    private final ReentrantLock calls = new ReentrantLock();

    private boolean isDestroyed;
    private boolean hasQueuePair;

    /// Guards what follows; never held while anything else is called.
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private final Deque<CommunicationEvent> events = new ArrayDeque<>();
    private final Deque<CommunicationIdentifier> requests = new ArrayDeque<>();
    private int backlog;
    private boolean isClosed;
    private @Nullable VerbsException failure;

    /// Whether there is anything to poll for, so that polling takes no lock.
    private volatile boolean hasNews;

    /// The connection is over: the peer has said goodbye, or answered ours.
    private volatile boolean isAnswered;

    /// The attempt to connect has come to its end, in one way or another, so that librdmacm does
    /// not modify the queue pair any more.
    private volatile boolean isSettled;

    /// The request was withdrawn before anybody took it.
    private volatile boolean isWithdrawn;

    CommunicationIdentifier(EventChannel channel, RdmaCmId id, String name) {
        this.channel = channel;
        this.id = id;
        this.name = name;
    }

    void rename(String better) {
        name = better;
    }

    // ---- calls

    /// Calls DiSNI, unless the identifier is destroyed.
    ///
    /// @throws VerbsException if it is
    <T extends @Nullable Object> T call(String verb, Call<T> call) throws IOException {
        calls.lock();
        try {
            if (isDestroyed) {
                throw ConnectionFailure.closed(verb, this);
            }
            T result = call.on(channel.connectionManager(), id);
            if (verb.equals("rdma_create_qp")) {
                hasQueuePair = true;
            }
            return result;
        } finally {
            calls.unlock();
        }
    }

    /// Where this end is, or null before it is bound.
    @Nullable InetSocketAddress localAddress() throws IOException {
        return (InetSocketAddress) call("rdma_get_local_addr", RdmaCm::getSrcAddr);
    }

    /// Where the peer is, or null if there is none.
    @Nullable InetSocketAddress remoteAddress() throws IOException {
        return (InetSocketAddress) call("rdma_get_peer_addr", RdmaCm::getDstAddr);
    }

    /// Puts the queue pair into ERROR and says goodbye, or answers the peer's. What librdmacm
    /// answers does not matter: before and after a connection it does the first and refuses the
    /// second.
    void disconnect() {
        calls.lock();
        try {
            if (!isDestroyed) {
                int ignored = channel.connectionManager().disconnect(id);
                assert ignored <= 0;
            }
        } catch (IOException e) {
            // Then there is nothing to disconnect.
        } finally {
            calls.unlock();
        }
    }

    /// Destroys the queue pair, if there is one.
    void destroyQueuePair() {
        calls.lock();
        try {
            if (hasQueuePair && !isDestroyed) {
                hasQueuePair = false;
                int result =
                        isSettled
                                ? channel.connectionManager().destroyQP(id)
                                : channel.whileNothingIsRead(
                                        () -> channel.connectionManager().destroyQP(id));
                Destroying.require("rdma_destroy_qp", result, "the queue pair of " + this);
            }
        } catch (IOException e) {
            throw new IllegalStateException("rdma_destroy_qp: " + DisniFailure.text(e), e);
        } finally {
            calls.unlock();
        }
    }

    /// Destroys it now; a request that was not accepted is rejected by that. Its queue pair goes
    /// before.
    void destroy() {
        close();
        calls.lock();
        try {
            if (isDestroyed) {
                return;
            }
            destroyQueuePair();
            isDestroyed = true;
            int result = channel.connectionManager().destroyCmId(id);
            Destroying.require("rdma_destroy_id", result, toString());
        } catch (IOException e) {
            throw new IllegalStateException("rdma_destroy_id: " + DisniFailure.text(e), e);
        } finally {
            calls.unlock();
            channel.remove(id);
            destroyRequests();
        }
    }

    /// Says goodbye now, and destroys it once the peer has answered, or has not for a while.
    void destroyAfterGoodbye() {
        close();
        destroyQueuePair();
        disconnect();
        channel.bidFarewell(this);
    }

    boolean isAnswered() {
        return isAnswered;
    }

    // ---- events, from the channel's thread

    void deliver(CommunicationEvent event) {
        lock.lock();
        try {
            switch (event.type()) {
                case ESTABLISHED -> isSettled = true;
                case DISCONNECTED, DEVICE_REMOVAL -> {
                    isSettled = true;
                    isAnswered = true;
                }
                case REJECTED, UNREACHABLE, CONNECT_ERROR -> {
                    isSettled = true;
                    isWithdrawn = true;
                }
                default -> {}
            }
            if (!isClosed) {
                events.add(event);
                hasNews = true;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// There will be no more events.
    void fail(VerbsException why) {
        lock.lock();
        try {
            failure = why;
            isAnswered = true;
            hasNews = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- waiting for events

    /// The oldest event, or null. Allocates nothing.
    @Nullable CommunicationEvent pollEvent(String verb) throws VerbsException {
        return hasNews ? awaitEvent(verb, 0) : null;
    }

    /// Waits for an event.
    ///
    /// @return the event, or null if there was none in time
    /// @throws VerbsException if the identifier was closed, or the thread interrupted
    @Nullable CommunicationEvent awaitEvent(String verb, long timeoutNanos) throws VerbsException {
        lock.lock();
        try {
            long left = timeoutNanos;
            while (true) {
                requireOpen(verb);
                CommunicationEvent event = events.poll();
                if (event != null) {
                    hasNews = !events.isEmpty();
                    return event;
                }
                if (failure != null) {
                    throw new VerbsException(verb, "no more events for " + this, failure);
                }
                if (left <= 0) {
                    return null;
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            throw ConnectionFailure.interrupted(verb, this);
        } finally {
            lock.unlock();
        }
    }

    /// Ends all waits, and has later ones fail.
    void close() {
        lock.lock();
        try {
            isClosed = true;
            events.clear();
            hasNews = true; // so that polling finds out
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen(String verb) throws VerbsException {
        if (isClosed) {
            throw ConnectionFailure.closed(verb, this);
        }
    }

    // ---- requests, of a listener

    /// Takes requests from now on.
    ///
    /// @param most how many may wait
    void openBacklog(int most) {
        lock.lock();
        try {
            backlog = most;
        } finally {
            lock.unlock();
        }
    }

    /// A request has come in.
    ///
    /// @return whether it may wait; else it is to be rejected
    boolean offer(CommunicationIdentifier request) {
        List<CommunicationIdentifier> withdrawn = new ArrayList<>();
        boolean mayWait;
        lock.lock();
        try {
            requests.removeIf(each -> each.isWithdrawn && withdrawn.add(each));
            mayWait = !isClosed && requests.size() < backlog;
            if (mayWait) {
                requests.add(request);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        withdrawn.forEach(CommunicationIdentifier::destroy);
        return mayWait;
    }

    /// Waits for a request whose client is still there.
    ///
    /// @return the request, or null if there was none in time
    @Nullable CommunicationIdentifier awaitRequest(String verb, long timeoutNanos)
            throws VerbsException {
        long start = System.nanoTime();
        while (true) {
            long left = timeoutNanos - (System.nanoTime() - start);
            CommunicationIdentifier request = awaitAnyRequest(verb, left);
            if (request == null || !request.isWithdrawn) {
                return request;
            }
            request.destroy();
        }
    }

    private @Nullable CommunicationIdentifier awaitAnyRequest(String verb, long timeoutNanos)
            throws VerbsException {
        lock.lock();
        try {
            long left = timeoutNanos;
            while (true) {
                requireOpen(verb);
                CommunicationEvent event = events.poll();
                if (event != null && event.type() == CommunicationEvent.Type.DEVICE_REMOVAL) {
                    failure = new VerbsException(verb, "the device of " + this + " was removed");
                }
                CommunicationIdentifier request = requests.poll();
                if (request != null) {
                    return request;
                }
                if (event == null) {
                    if (failure != null) {
                        throw new VerbsException(verb, "no more requests for " + this, failure);
                    }
                    if (left <= 0) {
                        return null;
                    }
                    left = changed.awaitNanos(left);
                }
            }
        } catch (InterruptedException e) {
            throw ConnectionFailure.interrupted(verb, this);
        } finally {
            lock.unlock();
        }
    }

    private void destroyRequests() {
        List<CommunicationIdentifier> left;
        lock.lock();
        try {
            left = new ArrayList<>(requests);
            requests.clear();
        } finally {
            lock.unlock();
        }
        left.forEach(CommunicationIdentifier::destroy);
    }

    @Override
    public String toString() {
        return name;
    }
}
