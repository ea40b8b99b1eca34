package io.rdmanet.bw.run;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// A payload of which every byte depends on the run, the message and the position, so that a
/// message that is lost, doubled, moved, mixed with another or from an earlier run shows.
public final class PayloadPattern {
    // The same bytes on both ends, whatever their machines' order.
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    // Odd, with about as many ones as zeros (2^64 divided by the golden ratio): multiples of it
    // differ in all bytes.
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private PayloadPattern() {}

    /// Writes the payload of a message.
    ///
    /// @param size its length; the memory may be longer
    public static void fill(MemorySegment memory, int size, long seed, long message) {
        long base = base(seed, message);
        int whole = size & -Long.BYTES;
        int offset = 0;
        for (; offset < whole; offset += Long.BYTES) {
            memory.set(WORD, offset, word(base, offset));
        }
        long last = word(base, offset);
        for (; offset < size; offset++, last >>>= Byte.SIZE) {
            memory.set(ValueLayout.JAVA_BYTE, offset, (byte) last);
        }
    }

    /// Whether memory holds the payload of a message.
    public static boolean matches(MemorySegment memory, int size, long seed, long message) {
        long base = base(seed, message);
        int whole = size & -Long.BYTES;
        int offset = 0;
        for (; offset < whole; offset += Long.BYTES) {
            if (memory.get(WORD, offset) != word(base, offset)) {
                return false;
            }
        }
        long last = word(base, offset);
        for (; offset < size; offset++, last >>>= Byte.SIZE) {
            if (memory.get(ValueLayout.JAVA_BYTE, offset) != (byte) last) {
                return false;
            }
        }
        return true;
    }

    private static long base(long seed, long message) {
        // The finaliser of SplitMix64: neighbours differ in half of their bits.
        long z = seed + message * GOLDEN;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    private static long word(long base, int offset) {
        return base ^ offset * GOLDEN;
    }
}
