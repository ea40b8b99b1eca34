package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.Libc;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.ResourceLimitDescriptor;
import io.rdmanet.ffm.c.Result;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// How much memory this process may lock: the usual reason of a registration that fails.
final class LockedMemory {
    private static final long BYTES_PER_KIBIBYTE = 1024;
    private static final long UNLIMITED = -1;

    private LockedMemory() {}

    /// What to look at when something that locks memory failed with ENOMEM.
    static String hint() {
        long limit = limitBytes();
        if (limit == UNLIMITED) {
            return "locked memory is not limited (ulimit -l), so the machine's memory or the"
                    + " device's tables are short";
        }
        return "this process may lock "
                + limit / BYTES_PER_KIBIBYTE
                + " KiB of memory (ulimit -l); raise memlock in /etc/security/limits.conf (or"
                + " LimitMEMLOCK of the service), or run with the capability CAP_IPC_LOCK";
    }

    private static long limitBytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment limit = arena.allocate(ResourceLimitDescriptor.SIZE, Long.BYTES);
            return Result.isFailure(Libc.getrlimit(Libc.RLIMIT_MEMLOCK, limit))
                    ? UNLIMITED
                    : NativeMemory.longAt(limit.address() + ResourceLimitDescriptor.CURRENT);
        }
    }
}
