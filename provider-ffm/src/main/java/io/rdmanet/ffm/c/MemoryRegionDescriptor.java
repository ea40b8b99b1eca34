package io.rdmanet.ffm.c;

/// `struct ibv_mr`, the fields we use:
///
/// ```
///  0                       32       36     40     44
/// +-----------------------+--------+------+------+
/// | context, pd, addr, len| handle | lkey | rkey |
/// +-----------------------+--------+------+------+
/// ```
public final class MemoryRegionDescriptor {
    public static final int LOCAL_KEY = 36;
    public static final int REMOTE_KEY = 40;

    private MemoryRegionDescriptor() {}
}
