package io.rdmanet.loopback;

import org.jspecify.annotations.Nullable;

/// Whether the slots of a ring hold the receives of one prepared call, one after the other and as
/// they are prepared now: then none of them needs a look when it is posted again.
///
/// Belongs to the posting thread.
final class ReceiveRow {
    private final int slots;
    private @Nullable LoopbackPostReceive receive;
    private long revision;

    /// From a slot to the request whose receive it holds, modulo the slots.
    private int shift;

    /// How many slots in a row, around the ring, up to the last that was filled.
    private int length;

    ReceiveRow(int slots) {
        this.slots = slots;
    }

    /// A slot was filled, the one after that of the last call.
    void filled(int slot, LoopbackPostReceive from, int request) {
        if (!isOf(slot, from, request)) {
            receive = from;
            revision = from.revision();
            shift = shift(slot, request);
            length = 0;
        }
        length = Math.min(slots, length + 1);
    }

    /// Whether every slot from one on, to the ring's end, holds the receive of a request and those
    /// of the requests after it.
    boolean holds(int slot, LoopbackPostReceive from, int request) {
        return length == slots && isOf(slot, from, request);
    }

    private boolean isOf(int slot, LoopbackPostReceive from, int request) {
        return receive == from
                && revision == from.revision()
                && shift == shift(slot, request)
                && request < slots; // another has the same shift
    }

    private int shift(int slot, int request) {
        int difference = request - slot;
        return difference < 0 ? difference + slots : difference;
    }
}
