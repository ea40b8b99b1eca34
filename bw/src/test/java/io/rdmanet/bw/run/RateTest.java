package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RateTest {
    private static final Offset<Double> CLOSE = Offset.offset(1e-9);

    @Test
    void hasMebibytesOfTwoToTheTwentyAndGigabitsOfTenToTheNine() {
        Rate rate = new Rate(2_000_000, 1L << 30, 2_000_000_000);

        assertThat(rate.seconds()).isCloseTo(2, CLOSE);
        assertThat(rate.mibps()).isCloseTo(512, CLOSE);
        assertThat(rate.gbps()).isCloseTo(4.294967296, CLOSE);
        assertThat(rate.mpps()).isCloseTo(1, CLOSE);
    }

    @Test
    void staysFiniteWhenTheClockDidNotMove() {
        assertThat(new Rate(1, 64, 0).gbps()).isFinite();
        assertThat(new Rate(0, 0, 0).mpps()).isZero();
    }

    @Test
    void doesNotOverflowWithManyBytes() {
        assertThat(new Rate(1, Long.MAX_VALUE, 1).gbps()).isPositive();
    }

    @Test
    void refusesNegativeFigures() {
        assertThatThrownBy(() -> new Rate(-1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Rate(0, -1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
