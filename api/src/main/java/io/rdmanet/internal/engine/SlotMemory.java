package io.rdmanet.internal.engine;

import io.rdmanet.internal.frame.FrameDescriptor;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Registered memory divided into slots of one frame each, laid out as [FrameDescriptor] says.
///
/// Who may touch a slot is the business of whoever owns it. Safe for use by any thread.
final class SlotMemory {
    private final MemoryRegion region;
    private final MemorySegment memory;
    private final MemorySegment[] payloads;
    private final long stride;
    private final int slotBytes;

    private SlotMemory(MemoryRegion region, int slots, int slotBytes) {
        this.region = region;
        this.memory = region.segment();
        this.stride = FrameDescriptor.stride(slotBytes);
        this.slotBytes = slotBytes;
        this.payloads = new MemorySegment[slots];
        for (int slot = 0; slot < slots; slot++) {
            payloads[slot] =
                    memory.asSlice(slot * stride + FrameDescriptor.PAYLOAD_OFFSET, slotBytes);
        }
    }

    /// Allocates memory; closing [#region()] frees it.
    static SlotMemory allocate(
            ProtectionDomain domain, int slots, int slotBytes, Set<AccessFlag> access)
            throws VerbsException {
        long bytes = slots * FrameDescriptor.stride(slotBytes);
        return new SlotMemory(domain.allocate(bytes, access), slots, slotBytes);
    }

    MemoryRegion region() {
        return region;
    }

    /// The most payload a slot takes.
    int slotBytes() {
        return slotBytes;
    }

    /// Where a slot's header lies in the region; its frame begins there.
    long frameOffset(int slot) {
        return slot * stride + FrameDescriptor.HEADER_OFFSET;
    }

    /// A slot's payload.
    MemorySegment payload(int slot) {
        return payloads[slot];
    }

    long header(int slot) {
        return FrameDescriptor.read(memory, frameOffset(slot));
    }

    void header(int slot, long header) {
        FrameDescriptor.write(memory, frameOffset(slot), header);
    }

    MemorySegment memory() {
        return memory;
    }
}
