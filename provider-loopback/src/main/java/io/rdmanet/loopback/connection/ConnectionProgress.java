package io.rdmanet.loopback.connection;

import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.loopback.connection.ConnectionRecord.Step;
import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// How far one end of a connection has come.
///
/// ```
/// dialling   IDLE -> CONNECTING --REPLY--> CONNECTED -> ENDED
/// requested  REQUESTED -> ACCEPTING --READY_TO_USE--> CONNECTED -> ENDED
///            any before CONNECTED -> FAILED; any -> CLOSED
/// ```
///
/// The device's thread notes here what arrives, and callers wait here for it. Everything is guarded
/// by one lock, which is never held while anything blocks or is called from outside.
final class ConnectionProgress {
    enum State {
        IDLE,
        REQUESTED,
        CONNECTING,
        ACCEPTING,
        CONNECTED,
        ENDED,
        FAILED,
        CLOSED
    }

    private final Object owner;
    private final InetSocketAddress remote;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private State state;
    private @Nullable ConnectionRecord answer;
    private boolean isReadyToUse;
    private boolean hasDisconnected;
    private @Nullable Throwable end;
    private final ArrayDeque<ConnectionEvent> events = new ArrayDeque<>();

    /// @param owner whose progress it is, for messages
    ConnectionProgress(Object owner, InetSocketAddress remote, State first) {
        this.owner = owner;
        this.remote = remote;
        this.state = first;
    }

    State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /// Goes on to the next state for one caller alone.
    ///
    /// @throws IllegalStateException if it is in another state than `from`
    void begin(String verb, State from, State to) throws VerbsException {
        lock.lock();
        try {
            requireNotClosed(verb);
            if (state != from) {
                throw new IllegalStateException(
                        verb + ": " + owner + " must be " + from + ", is " + state);
            }
            state = to;
        } finally {
            lock.unlock();
        }
    }

    void throwIfClosed(String verb) throws VerbsException {
        lock.lock();
        try {
            requireNotClosed(verb);
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the reply to a request, or its rejection.
    ConnectionRecord awaitAnswer(long deadline, long timeoutNanos) throws VerbsException {
        lock.lock();
        try {
            while (true) {
                requireNotClosed("rdma_connect");
                if (answer != null) {
                    return answer;
                }
                requireNotEnded("rdma_connect");
                if (!awaitChange("rdma_connect", deadline)) {
                    throw ConnectionFailure.timedOut(
                            "rdma_connect", remote, "answered the request", timeoutNanos);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// The client's end stands, unless the server has gone before it could read that.
    void finishConnecting() throws VerbsException {
        lock.lock();
        try {
            requireNotClosed("rdma_connect");
            if (!hasDisconnected) {
                requireNotEnded("rdma_connect");
            }
            state = State.CONNECTED;
            if (hasDisconnected) {
                // Only who stood disconnects: it was a short connection, and not a failed one.
                noteDisconnection();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the client has confirmed the connection; then it stands.
    void awaitReadyToUse(long deadline, long timeoutNanos) throws VerbsException {
        lock.lock();
        try {
            while (!isReadyToUse) {
                requireNotClosed("rdma_accept");
                requireNotEnded("rdma_accept");
                if (!awaitChange("rdma_accept", deadline)) {
                    throw ConnectionFailure.timedOut(
                            "rdma_accept", remote, "confirmed the connection", timeoutNanos);
                }
            }
            requireNotClosed("rdma_accept");
            state = State.CONNECTED;
            if (end != null) {
                // It stood, and the client may have sent before it went: that can be received.
                noteDisconnection();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The oldest event; waits for one until the deadline.
    @Nullable ConnectionEvent awaitEvent(long deadline) throws VerbsException {
        lock.lock();
        try {
            while (true) {
                requireNotClosed("rdma_get_cm_event");
                ConnectionEvent event = events.poll();
                if (event != null || !awaitChange("rdma_get_cm_event", deadline)) {
                    return event;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Takes in a record.
    ///
    /// @return whether the conversation goes on after it
    /// @throws RecordException if it was not due
    boolean accept(ConnectionRecord record) throws RecordException {
        lock.lock();
        try {
            Step step = record.step();
            boolean isAnswer = step == Step.REPLY || step == Step.REJECTION;
            if (isAnswer && state == State.CONNECTING && answer == null) {
                answer = record;
            } else if (step == Step.READY_TO_USE && state == State.ACCEPTING && !isReadyToUse) {
                isReadyToUse = true;
            } else if (step == Step.DISCONNECTION) {
                hasDisconnected = true;
                noteEnd(new IOException("it disconnected"));
            } else if (step == Step.REJECTION) {
                noteEnd(new IOException("it gave the connection up"));
            } else {
                throw new RecordException(step + " came while " + state, false);
            }
            changed.signalAll();
            return step == Step.REPLY || step == Step.READY_TO_USE;
        } finally {
            lock.unlock();
        }
    }

    /// The peer has gone or broken the protocol.
    void end(Throwable reason) {
        lock.lock();
        try {
            noteEnd(reason);
        } finally {
            lock.unlock();
        }
    }

    /// This end disconnects.
    ///
    /// @return the state before
    State disconnect() {
        lock.lock();
        try {
            State before = state;
            if (before == State.CONNECTED) {
                noteDisconnection();
            }
            return before;
        } finally {
            lock.unlock();
        }
    }

    /// An attempt has failed.
    ///
    /// @return the state before
    State fail() {
        return leave(State.FAILED);
    }

    /// No more calls: those that wait return.
    ///
    /// @return the state before
    State close() {
        return leave(State.CLOSED);
    }

    private State leave(State last) {
        lock.lock();
        try {
            State before = state;
            if (before != State.CLOSED) {
                state = last;
                changed.signalAll();
            }
            return before;
        } finally {
            lock.unlock();
        }
    }

    private void noteEnd(Throwable reason) {
        if (end == null) {
            end = reason;
            if (state == State.CONNECTED) {
                noteDisconnection();
            }
            changed.signalAll();
        }
    }

    private void noteDisconnection() {
        state = State.ENDED;
        events.add(ConnectionEvent.DISCONNECTED);
        changed.signalAll();
    }

    private void requireNotClosed(String verb) throws VerbsException {
        if (state == State.CLOSED) {
            throw ConnectionFailure.closed(verb, owner);
        }
    }

    private void requireNotEnded(String verb) throws VerbsException {
        if (end != null) {
            throw LoopbackConnectionFailure.peerGone(verb, remote, end);
        }
    }

    /// Waits until something has changed.
    ///
    /// @return false if the time is up
    @SuppressWarnings("WaitNotInLoop") // every caller is one
    private boolean awaitChange(String verb, long deadline) throws VerbsException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            return false;
        }
        try {
            // The rest it returns is of no use: the callers look at what has changed, and come
            // back.
            long _ = changed.awaitNanos(left);
            return true;
        } catch (InterruptedException e) {
            throw ConnectionFailure.interrupted(verb, owner);
        }
    }
}
