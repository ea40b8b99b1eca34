package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RunLimitTest {
    private final RunMonitor monitor = new RunMonitor();
    private long now;
    private long readings;

    private long clock() {
        readings++;
        return now;
    }

    private long run(RunLimit limit, long nanosEach) {
        limit.start();
        long done = 0;
        while (!limit.isReached(done)) {
            done++;
            now += nanosEach;
        }
        return done;
    }

    @Test
    void endsAtTheCount() {
        assertThat(run(new RunLimit(1000, 0, monitor, this::clock), 100)).isEqualTo(1000);
        assertThat(monitor.completed()).isEqualTo(1000);
    }

    @Test
    void tellsHowManyRemain() {
        RunLimit limit = new RunLimit(10, 0, monitor, this::clock);
        assertThat(limit.remaining(0)).isEqualTo(10);
        assertThat(limit.remaining(7)).isEqualTo(3);
    }

    @Test
    void endsSoonAfterTheTime() {
        long done = run(new RunLimit(0, 1_000_000_000, monitor, this::clock), 100);
        // The clock is looked at every 200 microseconds at the latest.
        assertThat(done).isBetween(10_000_000L, 10_002_000L + 2_000);
    }

    @Test
    void looksAtTheClockRarelyWhenMessagesAreFast() {
        run(new RunLimit(0, 1_000_000_000, monitor, this::clock), 50);
        assertThat(readings).isLessThan(1_000_000_000 / 20_000 + 100);
    }

    @Test
    void looksAtTheClockAlwaysWhenMessagesAreSlow() {
        long done = run(new RunLimit(0, 1_000_000_000, monitor, this::clock), 10_000_000);
        assertThat(done).isEqualTo(100);
    }

    @Test
    void endsWhenSomebodyAsksTo() {
        monitor.requestStop();
        assertThat(run(new RunLimit(1000, 0, monitor, this::clock), 100)).isZero();
    }

    @Test
    void refusesARunWithoutEnd() {
        assertThatThrownBy(() -> new RunLimit(0, 0, monitor, this::clock))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
