package io.rdmanet.ffm.c;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/// Where one call leaves its `errno`, and the arena for whatever else that call needs.
///
/// `errno` has to be taken together with the call: the JVM may run other native code on the same
/// thread right afterwards. One per control call, confined to its thread; the data path uses only
/// functions that return their error number.
///
/// ```
/// try (CallState call = new CallState()) {
///     return call.result((int) RDMA_LISTEN.invokeExact(call.segment(), identifier, backlog));
/// }
/// ```
final class CallState implements AutoCloseable {
    static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");

    private static final MemoryLayout LAYOUT = Linker.Option.captureStateLayout();

    private static final long ERRNO =
            LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment segment = arena.allocate(LAYOUT);

    /// The first argument of a handle made by [SharedLibrary#functionWithErrno].
    MemorySegment segment() {
        return segment;
    }

    /// Memory that lives as long as the call.
    Arena arena() {
        return arena;
    }

    /// The [Result] of a function that returns -1 when it fails.
    long result(int returned) {
        return returned == -1 ? failure() : returned;
    }

    /// The [Result] of a function that returns -1 when it fails.
    long result(long returned) {
        return returned == -1 ? failure() : returned;
    }

    /// The [Result] of a function that returns `NULL` when it fails.
    long address(long returned) {
        return returned == 0 ? failure() : returned;
    }

    private long failure() {
        int errno = segment.get(JAVA_INT, ERRNO);
        return -(long) (errno > 0 ? errno : Result.UNKNOWN_ERROR_NUMBER);
    }

    /// What a method handle throws is never the C function's doing.
    static AssertionError unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new AssertionError("a native call threw", thrown);
    }

    @Override
    public void close() {
        arena.close();
    }
}
