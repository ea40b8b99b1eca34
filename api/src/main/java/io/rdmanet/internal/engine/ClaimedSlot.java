package io.rdmanet.internal.engine;

import io.rdmanet.SendSlot;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A slot that the application writes to. There is one object per slot; it is claimed, committed or
/// cancelled, and claimed again later.
final class ClaimedSlot implements SendSlot {
    private final SendSide side;
    private final int slot;
    private final MemorySegment segment;
    private int length;
    private boolean isClaimed;
    private long lastCommit;

    ClaimedSlot(SendSide side, int slot, MemorySegment segment) {
        this.side = side;
        this.slot = slot;
        this.segment = segment;
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
    public void truncate(int newLength) {
        if (!isClaimed) {
            throw notClaimed();
        }
        if (newLength < 0 || newLength > length) {
            throw new IllegalArgumentException(
                    "length must be 0 to " + length + ", is " + newLength);
        }
        length = newLength;
    }

    @Override
    public void commit() throws IOException {
        side.commit(this);
    }

    @Override
    public void cancel() {
        side.cancel(this);
    }

    SendSide side() {
        return side;
    }

    int slot() {
        return slot;
    }

    boolean isClaimed() {
        return isClaimed;
    }

    void claim(int claimedLength) {
        length = claimedLength;
        isClaimed = true;
    }

    /// Whether it is asked so for the first time with this number.
    boolean isFirstIn(long commit) {
        boolean isFirst = lastCommit != commit;
        lastCommit = commit;
        return isFirst;
    }

    void release() {
        isClaimed = false;
    }

    static IllegalStateException notClaimed() {
        return new IllegalStateException("the slot was committed or cancelled already");
    }
}
