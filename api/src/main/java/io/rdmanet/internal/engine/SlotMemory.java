package io.rdmanet.internal.engine;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Registered memory divided into slots, each for the payload of one frame.
///
/// Who may touch a slot is the business of whoever owns it. Safe for use by any thread.
final class SlotMemory {
    /// A cache line. Slots begin at one, so that the caller's data is aligned.
    private static final int ALIGNMENT = 64;

    private final MemoryRegion region;
    private final MemorySegment[] payloads;
    private final long stride;
    private final int slotBytes;

    private SlotMemory(MemoryRegion region, int slots, int slotBytes) {
        this.region = region;
        this.stride = stride(slotBytes);
        this.slotBytes = slotBytes;
        this.payloads = new MemorySegment[slots];
        for (int slot = 0; slot < slots; slot++) {
            payloads[slot] = region.segment().asSlice(slot * stride, slotBytes);
        }
    }

    /// Allocates memory; closing [#region()] frees it.
    static SlotMemory allocate(
            ProtectionDomain domain, int slots, int slotBytes, Set<AccessFlag> access)
            throws VerbsException {
        long bytes = slots * stride(slotBytes);
        return new SlotMemory(domain.allocate(bytes, access), slots, slotBytes);
    }

    /// The bytes from one slot to the next: an odd number of cache lines. Were it a power of two,
    /// the beginnings of all slots, which is all there is of short messages, would share one set of
    /// a cache.
    static long stride(int slotBytes) {
        return ((slotBytes + (long) ALIGNMENT - 1) & -ALIGNMENT) | ALIGNMENT;
    }

    MemoryRegion region() {
        return region;
    }

    /// The most payload a slot takes.
    int slotBytes() {
        return slotBytes;
    }

    /// Where a slot begins in the region.
    long offset(int slot) {
        return slot * stride;
    }

    /// A slot.
    MemorySegment payload(int slot) {
        return payloads[slot];
    }
}
