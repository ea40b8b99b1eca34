package io.rdmanet.tck.fault;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A memory region of a [FaultyProvider]: only its life is watched.
final class FaultyMemoryRegion implements MemoryRegion {
    private final ProtectionDomain domain;
    private final MemoryRegion target;
    private final Tracked tracked;

    FaultyMemoryRegion(ProtectionDomain domain, MemoryRegion target, Tracked tracked) {
        this.domain = domain;
        this.target = target;
        this.tracked = tracked;
    }

    /// The wrapped provider's region.
    static MemoryRegion unwrap(MemoryRegion region) {
        return region instanceof FaultyMemoryRegion faulty ? faulty.target : region;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public MemorySegment segment() {
        return target.segment();
    }

    @Override
    public long length() {
        return target.length();
    }

    @Override
    public long address() {
        return target.address();
    }

    @Override
    public int localKey() {
        return target.localKey();
    }

    @Override
    public int remoteKey() {
        return target.remoteKey();
    }

    @Override
    public Set<AccessFlag> access() {
        return target.access();
    }

    @Override
    public void close() {
        target.close();
        tracked.closed();
    }
}
