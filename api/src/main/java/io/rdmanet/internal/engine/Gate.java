package io.rdmanet.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.LockSupport;

/// Lets one thread at a time into one half of a connection, tells a second one that it is wrong,
/// and is shut for ever before memory is freed.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | state | all | compareAndSet | compareAndSet, setRelease by the one inside | the next one inside sees what the last one did |
final class Gate {
    private static final int FREE = 0;
    private static final int BUSY = 1;
    private static final int SHUT = 2;
    private static final long RETRY_NANOS = 50_000;
    private static final long LONGEST_RETRY_NANOS = 10_000_000;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String doing;

    @SuppressWarnings("UnusedVariable") // reached through STATE
    private int state;

    /// @param doing what the threads that come in do, for messages
    Gate(String doing) {
        this.doing = doing;
    }

    /// Goes in.
    ///
    /// @throws ClosedChannelException if it is shut
    /// @throws IllegalStateException if another thread is inside
    void enter() throws ClosedChannelException {
        if (!STATE.compareAndSet(this, FREE, BUSY)) {
            if ((int) STATE.getAcquire(this) == SHUT) {
                throw new ClosedChannelException();
            }
            throw new IllegalStateException(
                    "another thread is " + doing + ": one at a time, or guard the connection");
        }
    }

    /// Goes out.
    void leave() {
        STATE.setRelease(this, FREE);
    }

    /// Waits until nobody is inside, and lets nobody in any more.
    ///
    /// @return false if somebody stayed inside for so long
    boolean shut(long timeoutNanos) {
        long start = System.nanoTime();
        while (!STATE.compareAndSet(this, FREE, SHUT)) {
            if ((int) STATE.getAcquire(this) == SHUT) {
                return true;
            }
            long waited = System.nanoTime() - start;
            if (waited > timeoutNanos) {
                return false;
            }
            LockSupport.parkNanos(Math.clamp(waited / 8, RETRY_NANOS, LONGEST_RETRY_NANOS));
        }
        return true;
    }
}
