package io.rdmanet.internal.flow;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Where a message of several frames is put together when no caller's buffer can take it: memory
/// that grows geometrically with what has really arrived, never with what was claimed, up to the
/// cap on messages.
///
/// Belongs to the receiving thread. The memory is kept for the next message.
public final class Reassembly {
    private static final int FIRST_CAPACITY = 4096;

    private final int maxBytes;
    private byte[] memory = new byte[0];
    private MemorySegment segment = MemorySegment.ofArray(memory);
    private int length;
    private boolean started;
    private boolean complete;

    /// @param maxBytes the cap
    public Reassembly(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Whether it holds a message or a part of one.
    public boolean isStarted() {
        return started;
    }

    /// Whether it holds a whole message.
    public boolean isComplete() {
        return complete;
    }

    /// Bytes put together so far.
    public int length() {
        return length;
    }

    /// Memory that begins with what was put together; valid until the next change.
    public MemorySegment segment() {
        return segment;
    }

    /// Adds a part of a message.
    ///
    /// @param isLast whether the message ends with it
    /// @return false if the message would exceed the cap; nothing has changed then
    public boolean append(MemorySegment source, long offset, int count, boolean isLast) {
        long newLength = (long) length + count;
        if (newLength > maxBytes) {
            return false;
        }
        ensureCapacity((int) newLength);
        MemorySegment.copy(source, offset, segment, length, count);
        length = (int) newLength;
        started = true;
        complete = isLast;
        return true;
    }

    /// The message in a fresh array.
    public byte[] toArray() {
        return Arrays.copyOf(memory, length);
    }

    /// Forgets the message.
    public void clear() {
        length = 0;
        started = false;
        complete = false;
    }

    /// How much memory it holds.
    public int capacity() {
        return memory.length;
    }

    private void ensureCapacity(int required) {
        if (required <= memory.length) {
            return;
        }
        long doubled = Math.max(FIRST_CAPACITY, 2L * memory.length);
        int capacity = (int) Math.max(required, Math.min(doubled, maxBytes));
        memory = Arrays.copyOf(memory, capacity);
        segment = MemorySegment.ofArray(memory);
    }
}
