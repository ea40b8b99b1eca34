package io.rdmanet.ffm.queue;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Keeps a native object from being destroyed while the one thread that may use it is inside a
/// call, at the price of a few plain stores for that thread.
///
/// The thread notes that it is inside and then looks whether the object is closed; whoever closes
/// notes that and then looks whether the thread is inside. One of the two must see the other's
/// note, which takes a full fence on both sides. The closing side pays for both by [#handshake()].
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | isInside | the executing thread | acquire | opaque entering, release leaving | state |
/// | state | the closing or pausing thread | opaque, acquire after a pause | opaque, release after a pause | isInside: the handshake between |
final class ExecutionGuard {
    private static final VarHandle IS_INSIDE;
    private static final VarHandle STATE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            IS_INSIDE = lookup.findVarHandle(ExecutionGuard.class, "isInside", boolean.class);
            STATE = lookup.findVarHandle(ExecutionGuard.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int OPEN = 0;
    private static final int PAUSED = 1;
    private static final int CLOSED = 2;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_NANOS = 10_000;

    private final long patienceNanos;

    @SuppressWarnings("unused") // through IS_INSIDE
    private boolean isInside;

    @SuppressWarnings("unused") // through STATE
    private int state = OPEN;

    ExecutionGuard() {
        this(PATIENCE_NANOS);
    }

    /// @param patienceNanos how long closing waits for a thread to leave
    ExecutionGuard(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /// Enters; to be followed by [#leave()] if it gives true.
    ///
    /// @return false if the object is closed
    boolean tryEnter() {
        IS_INSIDE.setOpaque(this, true);
        if ((int) STATE.getOpaque(this) == OPEN) {
            return true;
        }
        leave();
        return tryEnterAfterPause();
    }

    /// A pause is as short as the native calls that are made in it.
    private boolean tryEnterAfterPause() {
        while (true) {
            int current = (int) STATE.getAcquire(this);
            if (current == CLOSED) {
                return false;
            }
            if (current == OPEN) {
                return tryEnter();
            }
            Thread.onSpinWait();
        }
    }

    void leave() {
        IS_INSIDE.setRelease(this, false);
    }

    /// Keeps the thread out until [#resume()]. Not for use at once with another pause, or a close.
    ///
    /// @return false if the thread inside did not leave; nobody is kept out then
    boolean tryPause() {
        STATE.setOpaque(this, PAUSED);
        handshake();
        if (hasLeft()) {
            return true;
        }
        resume();
        return false;
    }

    /// Ends a pause, or a close that came to nothing.
    void resume() {
        STATE.setRelease(this, OPEN);
    }

    /// Makes what every thread has done until now visible to this one, and the reverse.
    ///
    /// Closing a shared arena has the JVM stop every thread at a point of its own for a moment. A
    /// thread inside one of the short native calls stops after it.
    @SuppressWarnings("MustBeClosedChecker") // it is
    static void handshake() {
        Arena.ofShared().close();
    }

    /// Waits until the thread that is inside has left; when it comes again it sees that it must not
    /// stay. Calls are short; a thread that is stopped inside one (by a debugger, say, or since the
    /// machine has no time for it) is not waited for without end.
    private boolean hasLeft() {
        long start = System.nanoTime();
        while ((boolean) IS_INSIDE.getAcquire(this)) {
            if (System.nanoTime() - start > patienceNanos) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    /// Closes and waits until the thread has left.
    ///
    /// @return false if it did not; it is open then as before, and what it guards must stay
    boolean tryClose() {
        return tryCloseBoth(this, this);
    }

    /// Closes two, or none of them.
    ///
    /// @return false if the thread inside one did not leave
    static boolean tryCloseBoth(ExecutionGuard one, ExecutionGuard other) {
        STATE.setOpaque(one, CLOSED);
        STATE.setOpaque(other, CLOSED);
        handshake();
        if (one.hasLeft() && other.hasLeft()) {
            return true;
        }
        one.resume();
        other.resume();
        return false;
    }
}
