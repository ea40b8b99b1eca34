package io.rdmanet.internal.engine;

import io.rdmanet.DeadlineException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The place of a thread that waits: there is one for the sender, one for the receiver and one for
/// whoever opens or closes. Belongs to the thread that waits, but for [#wake()].
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | parked | the waiting thread | volatile | volatile | wakers: it is set before the condition is looked at for the last time, and they look at it after changing what the condition depends on |
final class Waiter {
    /// What is waited for.
    enum Reason {
        CREDIT("a credit of the peer"),
        COMPLETION("the completion of a send"),
        MESSAGE("a message"),
        HELLO("the peer's hello"),
        END("the peer's device to take the end of the connection");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    private volatile @Nullable Thread parked;
    private boolean hasDeadline;
    private long deadline;
    private long timeoutNanos;
    private long since;
    private long wholeNanos;
    private Reason reason = Reason.MESSAGE;

    /// A call begins that may take so long in all its waits together.
    void begin(long timeout) {
        begin(timeout, timeout);
    }

    /// The last step of a call begins, which may take what the steps before have left.
    ///
    /// @param rest how long it may take
    /// @param whole how long all steps may take together, for messages
    void begin(long rest, long whole) {
        hasDeadline = false;
        timeoutNanos = rest;
        wholeNanos = whole;
    }

    /// A wait begins; the first one of a call starts the clock.
    void waitFor(Reason what, long now) {
        reason = what;
        since = now;
        if (!hasDeadline) {
            hasDeadline = true;
            deadline = now + timeoutNanos;
        }
    }

    /// What it waits for.
    Reason reason() {
        return reason;
    }

    /// How long this wait has lasted.
    long waited(long now) {
        return now - since;
    }

    /// How long it may still sleep.
    long remaining(long now) {
        return deadline - now;
    }

    /// Throws if the deadline has passed or the thread was interrupted.
    void check(long now) throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted while waiting for " + reason.words());
        }
        if (deadline - now <= 0) {
            throw new DeadlineException(
                    "waited "
                            + TimeUnit.NANOSECONDS.toMillis(wholeNanos)
                            + " ms for "
                            + reason.words()
                            + hint());
        }
    }

    /// The thread is about to park; afterwards it looks at its condition once more.
    void announce() {
        parked = Thread.currentThread();
    }

    /// The thread no longer parks.
    void withdraw() {
        parked = null;
    }

    /// Wakes the thread if it parks or is about to. Any thread.
    void wake() {
        Thread thread = parked;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    private String hint() {
        return switch (reason) {
            case CREDIT ->
                    "; the peer does not receive fast enough or holds leases: raise the depth"
                            + " or the timeout";
            case COMPLETION, END -> "; the peer's device does not answer";
            case MESSAGE -> "; the peer sends nothing";
            case HELLO -> "; is the other end a message connection of rdmanet?";
        };
    }
}
