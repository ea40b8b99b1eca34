package io.rdmanet.disni;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Keeps a native object from being destroyed while the one thread that may use it is inside a
/// call. DiSNI asks whether an object is open and then goes on to use it, whatever has happened
/// between.
///
/// The thread notes that it is inside and then looks whether the object is closed; whoever closes
/// does the reverse. Volatile accesses, since one of the two must see the other's note.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | isInside | the executing thread | volatile | volatile entering, release leaving | isClosed |
/// | isClosed | the closing thread | volatile | volatile | isInside |
final class CallGuard {
    private static final VarHandle IS_INSIDE;

    static {
        try {
            IS_INSIDE =
                    MethodHandles.lookup()
                            .findVarHandle(CallGuard.class, "isInside", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_NANOS = 10_000;

    private final long patienceNanos;
    private volatile boolean isInside;
    private volatile boolean isClosed;

    CallGuard() {
        this(PATIENCE_NANOS);
    }

    /// @param patienceNanos how long closing waits for the thread to leave
    CallGuard(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /// Enters; to be followed by [#leave()] if it gives true.
    ///
    /// @return false if the object is closed
    boolean tryEnter() {
        isInside = true;
        if (isClosed) {
            leave();
            return false;
        }
        return true;
    }

    void leave() {
        IS_INSIDE.setRelease(this, false);
    }

    /// Lets nobody in any more, and waits until the thread that is inside has left: calls are
    /// short. A thread that is stopped inside one (by a debugger, say, or since the machine has no
    /// time for it) is not waited for without end.
    ///
    /// @return false if it did not leave; it is open then as before, and what it guards must stay
    boolean tryClose() {
        isClosed = true;
        if (hasLeft()) {
            return true;
        }
        isClosed = false;
        return false;
    }

    /// Waits, as [#tryClose()] does, until the thread that is inside has left. It may come again,
    /// and sees then what was written before this was called.
    ///
    /// @return false if it did not leave
    boolean hasLeft() {
        long start = System.nanoTime();
        while (isInside) {
            if (System.nanoTime() - start > patienceNanos) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }

    /// Closes two, or none of them.
    ///
    /// @return false if the thread inside one did not leave
    static boolean tryCloseBoth(CallGuard one, CallGuard other) {
        if (!one.tryClose()) {
            return false;
        }
        if (!other.tryClose()) {
            one.isClosed = false;
            return false;
        }
        return true;
    }
}
