package io.rdmanet.ffm.c;

/// `struct rlimit` (sys/resource.h): `rlim_cur` and `rlim_max`, 8 bytes each.
public final class ResourceLimitDescriptor {
    public static final int SIZE = 16;
    public static final int CURRENT = 0;

    private ResourceLimitDescriptor() {}
}
