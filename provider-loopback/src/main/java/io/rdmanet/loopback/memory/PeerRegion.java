package io.rdmanet.loopback.memory;

import io.rdmanet.loopback.ring.RegionTableDescriptor;
import io.rdmanet.loopback.ring.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A memory region of a peer, as seen from here.
public final class PeerRegion {
    /// Keeps the peer's table mapped.
    @SuppressWarnings("unused")
    private final MemorySegment entrySegment;

    private final long entry;
    private final long regionId;
    private final int key;
    private final boolean isShared;
    private final MemorySegment memory;
    private final Arena arena;
    private final long address;
    private final long length;
    private final int access;
    private final int domain;

    PeerRegion(
            MemorySegment entrySegment,
            long regionId,
            int key,
            boolean isShared,
            MemorySegment memory,
            Arena arena) {
        this.entrySegment = entrySegment;
        this.entry = entrySegment.address();
        this.regionId = regionId;
        this.key = key;
        this.isShared = isShared;
        this.memory = memory;
        this.arena = arena;
        this.address = Words.longAt(entry + RegionTableDescriptor.ADDRESS_OFFSET);
        this.length = Words.longAt(entry + RegionTableDescriptor.LENGTH_OFFSET);
        this.access = Words.intAt(entry + RegionTableDescriptor.ACCESS_OFFSET);
        this.domain = Words.intAt(entry + RegionTableDescriptor.DOMAIN_OFFSET);
    }

    /// The key that names it.
    public int key() {
        return key;
    }

    /// Whether the peer still has it.
    public boolean isOpen() {
        return Words.longAcquire(entry + RegionTableDescriptor.REGION_ID_OFFSET) == regionId;
    }

    /// Whether it can be reached from here; otherwise the peer's own device must copy.
    public boolean isShared() {
        return isShared;
    }

    /// Its memory, mapped here; nothing if it is not shared.
    public MemorySegment memory() {
        return memory;
    }

    /// The peer's protection domain it belongs to.
    public int domain() {
        return domain;
    }

    /// Whether it allows an access.
    public boolean allows(int accessMask) {
        return (access & accessMask) == accessMask;
    }

    /// Where in the region a remote address is.
    ///
    /// @return the offset, or -1 if not all `bytes` lie inside
    public long offsetOf(long remoteAddress, long bytes) {
        long offset = remoteAddress - address;
        return contains(offset, bytes) ? offset : -1;
    }

    /// Whether a part given by offset lies inside.
    public boolean contains(long offset, long bytes) {
        return offset >= 0 && bytes >= 0 && bytes <= length && offset <= length - bytes;
    }

    void close() {
        arena.close();
    }
}
