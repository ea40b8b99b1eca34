package io.rdmanet.bw.run;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Layout of what a raw server has to say about a verified run.
///
/// ```
/// 0          8          16         24       32
/// +----------+----------+----------+--------+
/// | magic    | index    | messages | bad    |   network order
/// +----------+----------+----------+--------+
/// ```
///
/// A raw connection carries messages one way only. The server therefore writes this to the start of
/// each of its buffers once the run is over, and the client reads it there by RDMA READ.
final class RawVerdictDescriptor {
    /// Length in bytes; buffers must have that much.
    static final int LENGTH = 32;

    /// `RBWVRDCT`.
    static final long MAGIC = 0x5242575652444354L;

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final long MAGIC_OFFSET = 0;
    private static final long INDEX_OFFSET = 8;
    private static final long MESSAGES_OFFSET = 16;
    private static final long BAD_OFFSET = 24;

    private RawVerdictDescriptor() {}

    /// Writes a verdict; its magic last, as far as the reader is concerned: it accepts nothing
    /// without the index of the run.
    static void write(MemorySegment buffer, int index, long messages, long badMessages) {
        buffer.set(LONG, BAD_OFFSET, badMessages);
        buffer.set(LONG, MESSAGES_OFFSET, messages);
        buffer.set(LONG, INDEX_OFFSET, index);
        buffer.set(LONG, MAGIC_OFFSET, MAGIC);
    }

    /// Forgets a verdict.
    static void clear(MemorySegment buffer) {
        buffer.set(LONG, MAGIC_OFFSET, 0);
    }

    /// Whether a buffer holds the verdict on a run.
    static boolean isOn(MemorySegment buffer, int index) {
        return buffer.get(LONG, MAGIC_OFFSET) == MAGIC && buffer.get(LONG, INDEX_OFFSET) == index;
    }

    /// Messages received.
    static long messages(MemorySegment buffer) {
        return buffer.get(LONG, MESSAGES_OFFSET);
    }

    /// Wrong ones.
    static long badMessages(MemorySegment buffer) {
        return buffer.get(LONG, BAD_OFFSET);
    }
}
