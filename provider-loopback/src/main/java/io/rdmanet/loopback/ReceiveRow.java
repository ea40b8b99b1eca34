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

    /// The slot that holds the receive of request 0, or would.
    private int start;

    /// How many slots in a row, around the ring, up to the last that was filled.
    private int length;

    ReceiveRow(int slots) {
        this.slots = slots;
    }

    /// A slot was filled, the one after that of the last call.
    void filled(int slot, LoopbackPostReceive from, int request) {
        if (request >= slots) { // another slot's request has the same start
            receive = null;
            length = 0;
            return;
        }
        if (!isOf(slot, from, request)) {
            receive = from;
            revision = from.revision();
            start = start(slot, request);
            length = 0;
        }
        length = Math.min(slots, length + 1);
    }

    /// How many slots from one on hold the receives of a request and those after it, as they are
    /// prepared now. Counts no further than the ring's end.
    int held(int slot, LoopbackPostReceive from, int request) {
        boolean isHeld = length == slots && request < slots && isOf(slot, from, request);
        return isHeld ? slots - Math.max(slot, request) : 0;
    }

    private boolean isOf(int slot, LoopbackPostReceive from, int request) {
        return receive == from && revision == from.revision() && start == start(slot, request);
    }

    private int start(int slot, int request) {
        return slot >= request ? slot - request : slot - request + slots;
    }
}
