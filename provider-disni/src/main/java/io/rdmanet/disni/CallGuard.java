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

    private volatile boolean isInside;
    private volatile boolean isClosed;

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
    /// short. A thread that is stopped inside one (by a debugger, say) is not waited for without
    /// end.
    void close() {
        isClosed = true;
        long start = System.nanoTime();
        while (isInside && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
