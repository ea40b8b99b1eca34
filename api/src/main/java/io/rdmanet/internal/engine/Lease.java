package io.rdmanet.internal.engine;

import io.rdmanet.ReceivedMessage;
import io.rdmanet.internal.flow.Reassembly;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A received message that the application reads where it lies: in a receive slot, of which each
/// has one such object, or in memory of its own if it came in several frames.
///
/// [#isOpen] and what goes with it are guarded by the receive lock, since any thread may close it.
final class Lease implements ReceivedMessage {
    /// The slot of a message that lies in none.
    static final int NO_SLOT = -1;

    private final Consumption owner;
    private final int slot;
    private final @Nullable Reassembly assembled;
    private final MemorySegment segment;
    private int length;
    private boolean isOpen;

    /// The lease of a slot.
    Lease(Consumption owner, int slot, MemorySegment segment) {
        this.owner = owner;
        this.slot = slot;
        this.assembled = null;
        this.segment = segment;
    }

    /// The lease of a message that was put together.
    Lease(Consumption owner, Reassembly assembled) {
        this.owner = owner;
        this.slot = NO_SLOT;
        this.assembled = assembled;
        this.segment = assembled.segment();
        this.length = assembled.length();
        this.isOpen = true;
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void close() {
        owner.release(this);
    }

    Consumption owner() {
        return owner;
    }

    int slot() {
        return slot;
    }

    @Nullable Reassembly assembled() {
        return assembled;
    }

    /// Lends the slot out. Receiving thread only.
    void lend(int messageLength) {
        length = messageLength;
        isOpen = true;
    }

    /// Ends it.
    ///
    /// @return false if it had ended already
    boolean end() {
        boolean was = isOpen;
        isOpen = false;
        return was;
    }
}
