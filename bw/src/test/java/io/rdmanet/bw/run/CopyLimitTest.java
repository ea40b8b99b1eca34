package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyLimitTest {
    @ParameterizedTest
    @CsvSource({"1, 128", "64, 128", "65, 3", "65536, 8"})
    void copiesWholeRoundsForAboutAsLongAsAsked(int size, int count) {
        try (CopyLimit limit = new CopyLimit(size, count)) {
            Rate rate = limit.measure(1_000_000);

            assertThat(rate.messages()).isPositive();
            assertThat(rate.messages() % count).isZero();
            assertThat(rate.bytes()).isEqualTo(rate.messages() * size);
            assertThat(rate.nanos()).isGreaterThanOrEqualTo(1_000_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 128", "64, 128", "65, 3", "65536, 8"})
    void findsItsOwnCopiesRight(int size, int count) {
        try (CopyLimit limit = new CopyLimit(size, count)) {
            assertThat(limit.countWrong(5)).isZero();
        }
    }
}
