package io.rdmanet.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameRingTest {
    @Test
    void packsAndUnpacksTheLargestValues() {
        long frame = FrameRing.frame(20_000, 1 << 30, true);

        assertThat(FrameRing.slot(frame)).isEqualTo(20_000);
        assertThat(FrameRing.length(frame)).isEqualTo(1 << 30);
        assertThat(FrameRing.goesOn(frame)).isTrue();
        assertThat(FrameRing.goesOn(FrameRing.frame(20_000, 1 << 30, false))).isFalse();
        assertThat(FrameRing.frame(0, 0, false)).isNotEqualTo(FrameRing.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 134})
    void keepsOrderWhileItWrapsAround(int frames) {
        FrameRing ring = new FrameRing(frames);
        int added = 0;
        for (int removed = 0; removed < 1000; removed++) {
            while (ring.size() < frames) {
                ring.add(FrameRing.frame(added % 7, added, false));
                added++;
            }
            long frame = ring.peek();
            assertThat(FrameRing.length(frame)).isEqualTo(removed);
            ring.remove();
        }
    }

    @Test
    void countsMessagesOfWhichEveryFrameIsThere() {
        FrameRing ring = new FrameRing(4);

        ring.add(FrameRing.frame(0, 1, true));
        assertThat(ring.messages()).isZero();
        ring.add(FrameRing.frame(1, 1, false));
        assertThat(ring.messages()).isEqualTo(1);
        ring.remove();
        ring.removeMessage();
        assertThat(ring.messages()).isZero();
        assertThat(ring.peek()).isEqualTo(FrameRing.EMPTY);
    }

    @Test
    void refusesMoreFramesThanReceives() {
        FrameRing ring = new FrameRing(2);
        ring.add(0);
        ring.add(1);

        assertThatThrownBy(() -> ring.add(2)).isInstanceOf(IllegalStateException.class);
    }
}
