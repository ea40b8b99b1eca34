package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class PeakMeterTest {
    private static final Percentage CLOSE = Percentage.withPercentage(2);

    private final PeakMeter meter = new PeakMeter();
    private long messages;
    private long nanos;

    private void run(long count, long nanosEach) {
        for (long i = 0; i < count; i++) {
            messages++;
            nanos += nanosEach;
            if (meter.wants(messages)) {
                meter.note(messages, nanos);
            }
        }
    }

    @Test
    void isTheRateOfASteadyRun() {
        meter.start(nanos);
        run(1000, 1000);
        assertThat(meter.peakMessagesPerSecond()).isCloseTo(1e6, CLOSE);
    }

    @Test
    void isTheRateOfTheFastestPart() {
        meter.start(nanos);
        run(1000, 1000);
        run(1000, 100);
        run(1000, 1000);
        assertThat(meter.peakMessagesPerSecond()).isCloseTo(1e7, CLOSE);
    }

    @Test
    void doesNotTakeABurstForThePeak() {
        meter.start(nanos);
        run(1000, 1000);
        run(10, 1);
        run(990, 1000);
        // 10 messages are less than a twentieth of the run.
        assertThat(meter.peakMessagesPerSecond()).isLessThan(1.2e6);
    }

    @Test
    void holdsARunOfAnyLength() {
        meter.start(nanos);
        run(5_000_000, 1000);
        run(1_000_000, 500);
        assertThat(meter.peakMessagesPerSecond()).isCloseTo(2e6, CLOSE);
    }

    @Test
    void forgetsTheRunBefore() {
        meter.start(nanos);
        run(1000, 10);
        messages = 0;
        meter.start(nanos);
        run(1000, 1000);
        assertThat(meter.peakMessagesPerSecond()).isCloseTo(1e6, CLOSE);
    }

    @Test
    void isZeroWhenNothingCompleted() {
        meter.start(nanos);
        assertThat(meter.peakMessagesPerSecond()).isZero();
    }

    @Test
    void isFiniteWhenTheClockDoesNotMove() {
        meter.start(nanos);
        run(10, 0);
        assertThat(meter.peakMessagesPerSecond()).isZero();
    }
}
