package io.rdmanet.ffm.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkRateTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1, 2.5",
        "2, 4, 40",
        "2, 16, 56",
        "2, 32, 100",
        "2, 64, 200",
        "2, 128, 400",
        "8, 4, 120",
        "16, 64, 100",
        "0, 0, 0",
        "3, 1, 0",
        "1, 3, 0"
    })
    void multipliesLanesByTheirRate(int width, int speed, double gigabits) {
        assertThat(LinkRate.gigabitsPerSecond(width, speed)).isEqualTo(gigabits);
    }
}
