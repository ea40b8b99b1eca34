package io.rdmanet.tck;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Contents that depend on a seed and on the place, so that a byte that is old, shifted or somebody
/// else's is seen.
final class Payload {
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long ODD = 0x9e3779b97f4a7c15L;

    private Payload() {}

    /// Writes the contents of a seed.
    static void fill(MemorySegment segment, long offset, long length, long seed) {
        long position = 0;
        for (; position + Long.BYTES <= length; position += Long.BYTES) {
            segment.set(WORD, offset + position, word(seed, position));
        }
        for (; position < length; position++) {
            segment.set(JAVA_BYTE, offset + position, tailByte(seed, position));
        }
    }

    /// Where the contents differ from those of a seed, or -1.
    static long mismatch(MemorySegment segment, long offset, long length, long seed) {
        long position = 0;
        for (; position + Long.BYTES <= length; position += Long.BYTES) {
            if (segment.get(WORD, offset + position) != word(seed, position)) {
                return position;
            }
        }
        for (; position < length; position++) {
            if (segment.get(JAVA_BYTE, offset + position) != tailByte(seed, position)) {
                return position;
            }
        }
        return -1;
    }

    /// Fails unless the contents are those of a seed.
    static void assertHolds(MemorySegment segment, long offset, long length, long seed) {
        assertThat(mismatch(segment, offset, length, seed))
                .as("first byte that differs, of %d bytes with seed %d", length, seed)
                .isEqualTo(-1);
    }

    /// Fails unless every byte is the given one.
    static void assertUntouched(MemorySegment segment, long offset, long length, byte value) {
        for (long position = offset; position < offset + length; position++) {
            assertThat(segment.get(JAVA_BYTE, position)).as("byte %d", position).isEqualTo(value);
        }
    }

    /// The byte that a whole word would have there, so that a part of the contents is a prefix of
    /// longer ones.
    private static byte tailByte(long seed, long position) {
        long start = position & -Long.BYTES;
        return (byte) (word(seed, start) >>> ((position - start) * Byte.SIZE));
    }

    private static long word(long seed, long position) {
        long mixed = (seed + 1) * ODD + position * 0xff51afd7ed558ccdL;
        return mixed ^ mixed >>> 29;
    }
}
