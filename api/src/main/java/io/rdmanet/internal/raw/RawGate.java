package io.rdmanet.internal.raw;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.LockSupport;

/// Lets one thread work at a time, lets any thread ask for the end, and decides which of them tears
/// down: the one that closes, or, if it cannot wait that long, the one that works.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | state | worker, closer | compareAndSet | compareAndSet (volatile) | each other's: what one did is seen by the next |
/// | isClosing | closer | getOpaque in loops, getVolatile at the end of work | setVolatile | state: either the worker sees it when it leaves, or the closer sees IDLE |
/// | worker | worker | get by itself, else only compared with itself | set | none |
final class RawGate {
    /// How long closing waits for a worker that does not come back.
    private static final long CLOSE_WAIT_NANOS = 5_000_000_000L;

    private static final long CLOSE_PAUSE_NANOS = 50_000L;

    private static final int IDLE = 0;
    private static final int BUSY = 1;
    private static final int CLOSED = 2;

    private static final VarHandle STATE;
    private static final VarHandle IS_CLOSING;
    private static final VarHandle WORKER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(RawGate.class, "state", int.class);
            IS_CLOSING = lookup.findVarHandle(RawGate.class, "isClosing", boolean.class);
            WORKER = lookup.findVarHandle(RawGate.class, "workerId", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    @SuppressWarnings("unused") // by VarHandle
    private int state;

    @SuppressWarnings("unused") // by VarHandle
    private boolean isClosing;

    @SuppressWarnings("unused") // by VarHandle
    private long workerId;

    /// Begins to work.
    ///
    /// @throws ClosedChannelException if it is closed or closing
    /// @throws IllegalStateException if another thread works
    void enter() throws ClosedChannelException {
        if (isClosing()) {
            throw new ClosedChannelException();
        }
        if (!STATE.compareAndSet(this, IDLE, BUSY)) {
            if ((int) STATE.getVolatile(this) == CLOSED) {
                throw new ClosedChannelException();
            }
            throw new IllegalStateException(
                    "another thread uses this raw connection; it belongs to one at a time");
        }
        WORKER.setOpaque(this, Thread.currentThread().threadId());
    }

    /// Ends work.
    ///
    /// @return whether the caller must tear down
    boolean leave() {
        WORKER.setOpaque(this, 0L);
        STATE.setVolatile(this, IDLE);
        return (boolean) IS_CLOSING.getVolatile(this) && STATE.compareAndSet(this, IDLE, CLOSED);
    }

    /// Whether somebody has asked for the end.
    boolean isClosing() {
        return (boolean) IS_CLOSING.getOpaque(this);
    }

    /// Asks for the end, and waits until nobody works.
    ///
    /// @return whether the caller must tear down; if not, another thread does, or has done it
    boolean close() {
        IS_CLOSING.setVolatile(this, true);
        if ((long) WORKER.getOpaque(this) == Thread.currentThread().threadId()) {
            return false;
        }
        long start = System.nanoTime();
        while (!STATE.compareAndSet(this, IDLE, CLOSED)) {
            if ((int) STATE.getVolatile(this) == CLOSED
                    || System.nanoTime() - start > CLOSE_WAIT_NANOS) {
                return false;
            }
            LockSupport.parkNanos(CLOSE_PAUSE_NANOS);
        }
        return true;
    }
}
