package io.rdmanet.ffm.c;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The functions of the C library that deal with file descriptors and memory. Each gives a
/// [Result], unless it says otherwise.
public final class Libc {
    /// `O_NONBLOCK` (asm-generic/fcntl.h).
    public static final int O_NONBLOCK = 0x800;

    /// `F_GETFL` (asm-generic/fcntl.h).
    public static final int F_GETFL = 3;

    /// `F_SETFL` (asm-generic/fcntl.h).
    public static final int F_SETFL = 4;

    /// `EFD_CLOEXEC | EFD_NONBLOCK` (sys/eventfd.h).
    public static final int EFD_CLOEXEC_NONBLOCK = 0x80000 | O_NONBLOCK;

    /// `PROT_READ | PROT_WRITE` (sys/mman.h).
    public static final int PROT_READ_WRITE = 3;

    /// `MAP_PRIVATE | MAP_ANONYMOUS` (sys/mman.h).
    public static final int MAP_PRIVATE_ANONYMOUS = 0x22;

    /// `RLIMIT_MEMLOCK` (sys/resource.h): bytes that may be locked in memory.
    public static final int RLIMIT_MEMLOCK = 8;

    private static final SharedLibrary LIBRARY = SharedLibrary.standardC();

    private static final FunctionDescriptor POLL_FUNCTION =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle POLL = LIBRARY.function("poll", POLL_FUNCTION);
    private static final MethodHandle POLL_WITH_ERRNO =
            LIBRARY.functionWithErrno("poll", POLL_FUNCTION);

    /// Critical: with a timeout of 0 it is short and never blocks.
    private static final MethodHandle POLL_NOW =
            LIBRARY.function("poll", POLL_FUNCTION, Linker.Option.critical(false));

    private static final MethodHandle FCNTL =
            LIBRARY.function(
                    "fcntl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                    CallState.CAPTURE_ERRNO,
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle EVENTFD =
            LIBRARY.functionWithErrno(
                    "eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle READ =
            LIBRARY.function(
                    "read",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG),
                    Linker.Option.critical(false));
    private static final MethodHandle WRITE =
            LIBRARY.function(
                    "write",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG),
                    Linker.Option.critical(false));
    private static final MethodHandle CLOSE =
            LIBRARY.functionWithErrno("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle MMAP =
            LIBRARY.functionWithErrno(
                    "mmap",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                            JAVA_LONG));
    private static final MethodHandle MUNMAP =
            LIBRARY.functionWithErrno(
                    "munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle GETRLIMIT =
            LIBRARY.functionWithErrno(
                    "getrlimit", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

    private Libc() {}

    /// [poll(2)](https://man7.org/linux/man-pages/man2/poll.2.html). Blocks, and allocates nothing,
    /// which capturing `errno` would: so if it fails it is asked once more, without waiting.
    ///
    /// @param descriptors an array of [PollDescriptor]
    /// @param timeoutMillis how long, 0 for not at all, -1 for ever
    /// @return how many descriptors are ready; 0 also if a signal has ended the wait
    public static long poll(MemorySegment descriptors, int count, int timeoutMillis) {
        try {
            int ready = (int) POLL.invokeExact(descriptors.address(), (long) count, timeoutMillis);
            return ready < 0 ? pollWithErrno(descriptors, count) : ready;
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    private static long pollWithErrno(MemorySegment descriptors, int count) throws Throwable {
        try (CallState call = new CallState()) {
            return call.result(
                    (int)
                            POLL_WITH_ERRNO.invokeExact(
                                    call.segment(), descriptors.address(), (long) count, 0));
        }
    }

    /// [poll(2)](https://man7.org/linux/man-pages/man2/poll.2.html) that does not wait. Allocates
    /// nothing.
    ///
    /// @return how many descriptors are ready, -1 if the call failed
    public static int pollNow(MemorySegment descriptors, int count) {
        try {
            return (int) POLL_NOW.invokeExact(descriptors.address(), (long) count, 0);
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [fcntl(2)](https://man7.org/linux/man-pages/man2/fcntl.2.html).
    public static long fcntl(int descriptor, int command, int argument) {
        try (CallState call = new CallState()) {
            return call.result(
                    (int) FCNTL.invokeExact(call.segment(), descriptor, command, argument));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [eventfd(2)](https://man7.org/linux/man-pages/man2/eventfd.2.html).
    ///
    /// @return a file descriptor
    public static long eventfd(int initialValue, int flags) {
        try (CallState call = new CallState()) {
            return call.result((int) EVENTFD.invokeExact(call.segment(), initialValue, flags));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [read(2)](https://man7.org/linux/man-pages/man2/read.2.html) of a descriptor that does not
    /// block. Allocates nothing.
    ///
    /// @return bytes read, -1 if the call failed
    public static long read(int descriptor, MemorySegment buffer) {
        try {
            return (long) READ.invokeExact(descriptor, buffer.address(), buffer.byteSize());
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [write(2)](https://man7.org/linux/man-pages/man2/write.2.html) of a descriptor that does not
    /// block. Allocates nothing.
    ///
    /// @return bytes written, -1 if the call failed
    public static long write(int descriptor, MemorySegment buffer) {
        try {
            return (long) WRITE.invokeExact(descriptor, buffer.address(), buffer.byteSize());
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [close(2)](https://man7.org/linux/man-pages/man2/close.2.html).
    public static long close(int descriptor) {
        try (CallState call = new CallState()) {
            return call.result((int) CLOSE.invokeExact(call.segment(), descriptor));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [mmap(2)](https://man7.org/linux/man-pages/man2/mmap.2.html) of fresh zeroed pages that only
    /// this process sees.
    ///
    /// @return their address
    public static long mmapAnonymous(long length) {
        try (CallState call = new CallState()) {
            return call.result(
                    (long)
                            MMAP.invokeExact(
                                    call.segment(),
                                    0L,
                                    length,
                                    PROT_READ_WRITE,
                                    MAP_PRIVATE_ANONYMOUS,
                                    -1,
                                    0L));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [munmap(2)](https://man7.org/linux/man-pages/man2/mmap.2.html).
    public static long munmap(long address, long length) {
        try (CallState call = new CallState()) {
            return call.result((int) MUNMAP.invokeExact(call.segment(), address, length));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }

    /// [getrlimit(2)](https://man7.org/linux/man-pages/man2/getrlimit.2.html).
    ///
    /// @param limit a [ResourceLimitDescriptor]
    public static long getrlimit(int resource, MemorySegment limit) {
        try (CallState call = new CallState()) {
            return call.result(
                    (int) GETRLIMIT.invokeExact(call.segment(), resource, limit.address()));
        } catch (Throwable thrown) {
            throw CallState.unexpected(thrown);
        }
    }
}
