package io.rdmanet.bw.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The part of a run that counts, on a clock that the test turns by milliseconds.
class TimeWindowTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long BEGINNING = -5 * MILLISECOND;

    /// One event in each millisecond up to some point, and then none.
    private static TimeWindow run(int seconds, int lastMillis, int untilMillis) {
        TimeWindow window = new TimeWindow(Duration.ofSeconds(seconds));
        window.start(BEGINNING, 0);
        long events = 0;
        for (int time = 1; time <= untilMillis; time++) {
            events = Math.min(time, lastMillis);
            if (window.isOver(BEGINNING + time * MILLISECOND, events)) {
                break;
            }
        }
        window.end();
        return window;
    }

    @ParameterizedTest
    @CsvSource({"1, 1000", "3, 3000", "4, 2000", "10, 6000"})
    void countsAllButAQuarterAtEitherEnd(int seconds, long millis) {
        TimeWindow window = run(seconds, Integer.MAX_VALUE, Integer.MAX_VALUE);
        assertThat(window.isFull()).isTrue();
        assertThat(window.events()).isEqualTo(millis);
        assertThat(window.nanos()).isEqualTo(millis * MILLISECOND);
    }

    /// What followed the last event is no part of the rate, whether the end came by time or before.
    @ParameterizedTest
    @CsvSource({
        "1, 700, 1000",
        "3, 2100, 3000",
        "3, 2100, 2900",
        "4, 3100, 4000",
        "10, 8500, 9999"
    })
    void keepsTheRateOfAPeerThatEndsALittleSooner(int seconds, int lastMillis, int untilMillis) {
        TimeWindow window = run(seconds, lastMillis, untilMillis);
        assertThat(window.isFull()).isTrue();
        assertThat(window.events() * MILLISECOND).isEqualTo(window.nanos());
    }

    @ParameterizedTest
    @CsvSource({"1, 100", "3, 100", "3, 1600", "4, 2500", "10, 7000"})
    void isNotFullWhereEventsEndedLongBefore(int seconds, int lastMillis) {
        TimeWindow window = run(seconds, lastMillis, Integer.MAX_VALUE);
        assertThat(window.isFull()).isFalse();
        assertThat(window.quietFrom()).isEqualTo(lastMillis * MILLISECOND);
    }

    @Test
    void beginsAnew() {
        TimeWindow window = run(1, 100, 1000);
        window.start(0, 7);
        assertThat(window.isOver(MILLISECOND, 9)).isFalse();
        window.end();
        assertThat(window.quietFrom()).isEqualTo(MILLISECOND);
        assertThat(window.events()).isEqualTo(2);
    }
}
