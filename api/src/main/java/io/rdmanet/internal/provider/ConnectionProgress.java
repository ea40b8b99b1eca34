package io.rdmanet.internal.provider;

import io.rdmanet.verbs.VerbsException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// How far one end of a connection has come. Owned by that end, which makes it with its first state
/// and need not close it.
///
/// ```
/// dialling   IDLE -> CONNECTING -> CONNECTED -> ENDED
/// requested  REQUESTED -> ACCEPTING -> CONNECTED -> ENDED
///            any before CONNECTED -> FAILED; any -> CLOSED
/// ```
///
/// **Safe for use by any thread.** Everything is guarded by one lock, which is never held while
/// anything else is called. Only [#awaitConnection(String, long)] waits for more than that.
public final class ConnectionProgress {
    public enum State {
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
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private State state;

    /// @param owner whose progress it is, for messages
    public ConnectionProgress(Object owner, State first) {
        this.owner = owner;
        this.state = first;
    }

    public State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /// Goes on to the next state for one caller alone.
    ///
    /// @throws VerbsException if it is closed
    /// @throws IllegalStateException if it is in another state than `from`
    public void begin(String verb, State from, State to) throws VerbsException {
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

    /// The connection stands.
    ///
    /// @throws VerbsException if it was closed meanwhile
    public void finish(String verb) throws VerbsException {
        lock.lock();
        try {
            requireNotClosed(verb);
            state = State.CONNECTED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the connection stands or has stood. Only then there is something to tell of it;
    /// before, what librdmacm tells are answers to whoever connects.
    ///
    /// @param timeoutNanos 0 or less: only looks
    /// @return false if the time is up
    /// @throws VerbsException if there will be no connection, or the thread was interrupted
    public boolean awaitConnection(String verb, long timeoutNanos) throws VerbsException {
        lock.lock();
        try {
            long left = timeoutNanos;
            while (state != State.CONNECTED && state != State.ENDED) {
                requireNotClosed(verb);
                if (state == State.FAILED) {
                    throw new VerbsException(verb, owner + " did not come about");
                }
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            throw ConnectionFailure.interrupted(verb, owner);
        } finally {
            lock.unlock();
        }
    }

    /// The connection, if it stood, has ended.
    ///
    /// @return the state before
    public State end() {
        lock.lock();
        try {
            return state == State.CONNECTED ? change(State.ENDED) : state;
        } finally {
            lock.unlock();
        }
    }

    /// An attempt has failed.
    public void fail() {
        lock.lock();
        try {
            if (state != State.CLOSED) {
                change(State.FAILED);
            }
        } finally {
            lock.unlock();
        }
    }

    /// No more calls.
    ///
    /// @return the state before
    public State close() {
        lock.lock();
        try {
            return change(State.CLOSED);
        } finally {
            lock.unlock();
        }
    }

    private State change(State next) {
        State before = state;
        state = next;
        changed.signalAll();
        return before;
    }

    /// Refuses a call on what the program has closed.
    public void throwIfClosed(String verb) throws VerbsException {
        lock.lock();
        try {
            requireNotClosed(verb);
        } finally {
            lock.unlock();
        }
    }

    private void requireNotClosed(String verb) throws VerbsException {
        if (state == State.CLOSED) {
            throw ConnectionFailure.closed(verb, owner);
        }
    }
}
