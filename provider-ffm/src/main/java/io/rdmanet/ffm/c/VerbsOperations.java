package io.rdmanet.ffm.c;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The functions of the data path, which each device's driver has its own of: see
/// [ContextDescriptor]. They give 0 or an error number, as in C.
///
/// The function itself is the first argument, as a segment that the caller keeps: making one per
/// call would be garbage wherever the compiler does not inline it all.
public final class VerbsOperations {
    /// They write to a ring and ring a bell, and never call back, so the thread need not tell the
    /// JVM that it leaves. That halves the cost of a call. On mlx5 and Soft-RoCE (rxe, whose bell
    /// is one short system call) they do not block either. Where a bell may (siw's, which sends on
    /// a TCP socket), a collection or another safepoint waits that long for the posting thread.
    private static final Linker.Option SHORT = Linker.Option.critical(false);

    private static final MethodHandle POST =
            SharedLibrary.functionPointer(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG), SHORT);
    private static final MethodHandle POLL =
            SharedLibrary.functionPointer(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG), SHORT);
    private static final MethodHandle REQUEST_NOTIFICATION =
            SharedLibrary.functionPointer(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT), SHORT);

    private VerbsOperations() {}

    /// [ibv_post_send(3)](https://man7.org/linux/man-pages/man3/ibv_post_send.3.html),
    /// [ibv_post_recv(3)](https://man7.org/linux/man-pages/man3/ibv_post_recv.3.html) and
    /// [ibv_post_srq_recv(3)](https://man7.org/linux/man-pages/man3/ibv_post_srq_recv.3.html).
    ///
    /// @param queue the queue pair or shared receive queue
    /// @param first the first request of a chain
    /// @param badRequest where the first request that is refused is put (8 bytes)
    /// @return 0, or an error number; some drivers give it negative
    public static int post(MemorySegment function, long queue, long first, long badRequest) {
        try {
            return (int) POST.invokeExact(function, queue, first, badRequest);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_poll_cq(3)](https://man7.org/linux/man-pages/man3/ibv_poll_cq.3.html).
    ///
    /// @param completions an array of [WorkCompletionDescriptor]
    /// @return how many there are, or a negative number
    public static int poll(MemorySegment function, long queue, int capacity, long completions) {
        try {
            return (int) POLL.invokeExact(function, queue, capacity, completions);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [ibv_req_notify_cq(3)](https://man7.org/linux/man-pages/man3/ibv_req_notify_cq.3.html).
    ///
    /// @param solicitedOnly 0 or 1
    /// @return 0, or an error number
    public static int requestNotification(MemorySegment function, long queue, int solicitedOnly) {
        try {
            return (int) REQUEST_NOTIFICATION.invokeExact(function, queue, solicitedOnly);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }
}
