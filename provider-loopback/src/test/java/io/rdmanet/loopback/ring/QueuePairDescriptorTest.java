package io.rdmanet.loopback.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePairDescriptorTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1, 1",
        "2, 2",
        "3, 4",
        "4, 4",
        "5, 8",
        "127, 128",
        "128, 128",
        "129, 256",
        "65536, 65536"
    })
    void roundsCapacitiesUpToAPowerOfTwo(int receives, int entries) {
        assertThat(QueuePairDescriptor.capacity(receives)).isEqualTo(entries);
    }

    @ParameterizedTest
    @CsvSource({"0, 32", "1, 32", "2, 64", "3, 64", "4, 96", "7, 128", "8, 160", "32, 544"})
    void givesEachReceiveWholeHalvesOfALine(int elements, int bytes) {
        assertThat(QueuePairDescriptor.stride(elements)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "3, 3", "130, 130", "65536, 65536"})
    void hasAsManyEntriesAsReceives(int receives, int entries) {
        assertThat(QueuePairDescriptor.entries(receives)).isEqualTo(entries);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 131, 65536})
    void placesBothRingsOneAfterTheOtherOnLines(int capacity) {
        for (int elements : new int[] {1, 32}) {
            int stride = QueuePairDescriptor.stride(elements);
            long completions = QueuePairDescriptor.completionsOffset(capacity, stride);

            assertThat(completions % QueuePairDescriptor.LINE).isZero();
            assertThat(completions - QueuePairDescriptor.RINGS_OFFSET - (long) capacity * stride)
                    .isBetween(0L, QueuePairDescriptor.LINE - 1L);
            assertThat(QueuePairDescriptor.bytes(capacity, stride))
                    .isEqualTo(
                            completions
                                    + (long) capacity
                                            * QueuePairDescriptor.completionStride(stride));
        }
    }

    @Test
    void packsCompletionsIntoLines() {
        int pooled = QueuePairDescriptor.completionStride(0);
        int plain = QueuePairDescriptor.completionStride(QueuePairDescriptor.stride(1));

        assertThat(pooled)
                .isGreaterThanOrEqualTo(QueuePairDescriptor.COMPLETION_TICKET_OFFSET + Long.BYTES)
                .isGreaterThanOrEqualTo(
                        QueuePairDescriptor.COMPLETION_SOURCE_OFFSET + Integer.BYTES);
        assertThat(plain)
                .isGreaterThanOrEqualTo(
                        QueuePairDescriptor.COMPLETION_IMMEDIATE_OFFSET + Integer.BYTES);
        assertThat(QueuePairDescriptor.LINE % pooled).isZero();
        assertThat(QueuePairDescriptor.LINE % plain).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "41, 42", "2147483647, -2147483648", "4294967294, -1", "4294967295, 0"})
    void numbersCompletionsByTheLowHalfOfTheirPosition(long position, int sequence) {
        assertThat(QueuePairDescriptor.sequence(position)).isEqualTo(sequence);
    }

    @Test
    void doesNotOverflowBeyondTwoGibibytes() {
        assertThat(QueuePairDescriptor.bytes(1 << 22, 576)).isEqualTo(1024 + (592L << 22));
    }

    @Test
    void keepsWordsOfDifferentWritersApart() {
        assertThat(QueuePairDescriptor.ARMED_OFFSET)
                .isGreaterThanOrEqualTo(QueuePairDescriptor.FAULT_OFFSET + 64);
        assertThat(QueuePairDescriptor.EXECUTING_OFFSET - QueuePairDescriptor.ARMED_OFFSET)
                .isGreaterThanOrEqualTo(128);
        assertThat(QueuePairDescriptor.CLAIM_OFFSET - QueuePairDescriptor.EXECUTING_OFFSET)
                .isGreaterThanOrEqualTo(128);
        assertThat(QueuePairDescriptor.POSTED_OFFSET - QueuePairDescriptor.CLAIM_OFFSET)
                .isGreaterThanOrEqualTo(128);
        assertThat(QueuePairDescriptor.COPY_OFFER_OFFSET - QueuePairDescriptor.POSTED_OFFSET)
                .isGreaterThanOrEqualTo(128);
        assertThat(CopyOfferDescriptor.KEY_OFFSET - CopyOfferDescriptor.PARTS_OFFSET)
                .isGreaterThanOrEqualTo(128);
        assertThat(CopyOfferDescriptor.HELPED_OFFSET - CopyOfferDescriptor.PART_BYTES_OFFSET)
                .isGreaterThanOrEqualTo(64);
        assertThat(CopyOfferDescriptor.BYTES - CopyOfferDescriptor.HELPED_OFFSET)
                .isGreaterThanOrEqualTo(128);
        assertThat(QueuePairDescriptor.RINGS_OFFSET % QueuePairDescriptor.LINE).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 0, false", "255, 255, true", "5, 128, true", "12, 0, false", "0, 129, true"})
    void packsOutcomes(int status, int opcode, boolean hasImmediate) {
        int outcome = QueuePairDescriptor.outcome(status, opcode, hasImmediate);

        assertThat(QueuePairDescriptor.status(outcome)).isEqualTo(status);
        assertThat(QueuePairDescriptor.opcode(outcome)).isEqualTo(opcode);
        assertThat(QueuePairDescriptor.hasImmediate(outcome)).isEqualTo(hasImmediate);
    }
}
