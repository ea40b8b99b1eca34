package io.rdmanet.loopback.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReceivePoolDescriptorTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1L << 38, (1L << 39) - 1, 1L << 39, (1L << 39) + 1, 1L << 50})
    void packsCells(long position) {
        long posted = ReceivePoolDescriptor.posted(position, 0xabcdef);
        long taken = ReceivePoolDescriptor.taken(position, 0xfedcba);

        assertThat(ReceivePoolDescriptor.isTaken(posted)).isFalse();
        assertThat(ReceivePoolDescriptor.isTaken(taken)).isTrue();
        assertThat(ReceivePoolDescriptor.slot(posted)).isEqualTo(0xabcdef);
        assertThat(ReceivePoolDescriptor.queuePairNumber(taken)).isEqualTo(0xfedcba);
        for (long word : new long[] {posted, taken}) {
            assertThat(ReceivePoolDescriptor.isOf(word, position)).isTrue();
            assertThat(ReceivePoolDescriptor.isOf(word, position + 1)).isFalse();
            assertThat(ReceivePoolDescriptor.isOf(word, position + 65536)).isFalse();
            assertThat(ReceivePoolDescriptor.isOf(word, position - 65536)).isFalse();
        }
    }

    @Test
    void emptyMemoryHoldsNothing() {
        assertThat(ReceivePoolDescriptor.isOf(0, 0)).isFalse();
        assertThat(ReceivePoolDescriptor.isTaken(0)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, 448", "8, 448", "9, 512", "65536, 524672"})
    void beginsTheSlotsOnALine(int cells, long offset) {
        assertThat(ReceivePoolDescriptor.slotsOffset(cells)).isEqualTo(offset);
        assertThat(ReceivePoolDescriptor.bytes(3, cells, 128)).isEqualTo(offset + 384);
    }

    @Test
    void keepsWordsOfDifferentWritersApart() {
        assertThat(ReceivePoolDescriptor.NEXT_OFFSET - ReceivePoolDescriptor.LIMIT_OFFSET)
                .isGreaterThanOrEqualTo(64);
        assertThat(ReceivePoolDescriptor.POSTED_OFFSET - ReceivePoolDescriptor.NEXT_OFFSET)
                .isGreaterThanOrEqualTo(128);
        assertThat(ReceivePoolDescriptor.FIRST_CELL_OFFSET - ReceivePoolDescriptor.POSTED_OFFSET)
                .isGreaterThanOrEqualTo(128);
    }

    @Test
    void givesEachSlotABerthForTheLongestDatagram() {
        assertThat(LandingDescriptor.STRIDE).isGreaterThanOrEqualTo(40 + 4096);
        assertThat(LandingDescriptor.STRIDE % QueuePairDescriptor.LINE).isZero();
        assertThat(LandingDescriptor.bytes(65536)).isEqualTo(65536L * LandingDescriptor.STRIDE);
        assertThat(LandingDescriptor.offset(3) + LandingDescriptor.STRIDE)
                .isEqualTo(LandingDescriptor.bytes(4));
    }
}
