package io.rdmanet.verbs;

import java.util.Set;

/// What may be done to a memory region or through a queue pair (`enum ibv_access_flags`).
public enum AccessFlag {
    /// The local device may write: needed by receives, RDMA READ and atomics.
    LOCAL_WRITE(1),
    /// The peer may write.
    REMOTE_WRITE(2),
    /// The peer may read.
    REMOTE_READ(4),
    /// The peer may use atomics.
    REMOTE_ATOMIC(8);

    private final int mask;

    AccessFlag(int mask) {
        this.mask = mask;
    }

    /// The bit libibverbs has for it.
    public int mask() {
        return mask;
    }

    /// The or-ed bits of a set.
    public static int mask(Set<AccessFlag> flags) {
        int bits = 0;
        for (AccessFlag flag : flags) {
            bits |= flag.mask;
        }
        return bits;
    }
}
