package io.rdmanet.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ReassemblyTest {
    private static final int CAP = 100_000;

    private final Reassembly reassembly = new Reassembly(CAP);

    @Test
    void putsPartsTogether() {
        append(new byte[] {1, 2}, false);
        assertThat(reassembly.isStarted()).isTrue();
        assertThat(reassembly.isComplete()).isFalse();
        append(new byte[] {3}, true);

        assertThat(reassembly.isComplete()).isTrue();
        assertThat(reassembly.toArray()).containsExactly(1, 2, 3);
    }

    @Test
    void takesTheCapAndNotAByteMore() {
        assertThat(append(new byte[CAP - 1], false)).isTrue();
        assertThat(append(new byte[2], true)).isFalse();
        assertThat(reassembly.length()).isEqualTo(CAP - 1);
        assertThat(append(new byte[1], true)).isTrue();
        assertThat(reassembly.length()).isEqualTo(CAP);
    }

    @Test
    void holdsNoMoreMemoryThanTwiceWhatArrivedAndNeverMoreThanTheCap() {
        byte[] part = new byte[1000];
        for (int length = 0; length < CAP; length += part.length) {
            append(part, false);
            assertThat(reassembly.capacity())
                    .isLessThanOrEqualTo(Math.min(CAP, Math.max(4096, 2 * reassembly.length())));
        }
        assertThat(reassembly.capacity()).isEqualTo(CAP);
    }

    @Test
    void usesItsMemoryAgain() {
        append(new byte[5000], true);
        int capacity = reassembly.capacity();
        reassembly.clear();

        assertThat(reassembly.isStarted()).isFalse();
        append(new byte[] {9}, true);
        assertThat(reassembly.toArray()).containsExactly(9);
        assertThat(reassembly.capacity()).isEqualTo(capacity);
    }

    @Test
    void worksWithACapBeyondHalfTheIntegers() {
        Reassembly large = new Reassembly(Integer.MAX_VALUE - 8);

        assertThat(large.append(MemorySegment.ofArray(new byte[10]), 0, 10, true)).isTrue();
        assertThat(large.capacity()).isEqualTo(4096);
    }

    private boolean append(byte[] part, boolean isLast) {
        return reassembly.append(MemorySegment.ofArray(part), 0, part.length, isLast);
    }
}
