package io.rdmanet.bw.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The C tools' arithmetic, worked by hand.
class LatencyReportTest {
    @Test
    void halvesRoundsAndLeavesOutTheTwoSlowest() {
        // Rounds of 2, 4, 6, 8, 100 and 200 microseconds, not in order.
        long[] posted = {0, 6_000, 8_000, 108_000, 112_000, 312_000, 320_000};

        LatencyReport report = LatencyReport.of(64, posted);

        assertThat(report.iterations()).isEqualTo(7);
        assertThat(report.min()).isEqualTo(1);
        // Four of six count: 1, 2, 3, 4; the next, 50, is what is called the largest.
        assertThat(report.typical()).isEqualTo(2.5);
        assertThat(report.average()).isEqualTo(2.5);
        assertThat(report.deviation()).isEqualTo(Math.sqrt(1.25));
        assertThat(report.max()).isEqualTo(50);
        assertThat(report.percentile99()).isEqualTo(50);
    }

    @Test
    void managesWithTheFewestRoundsThereMayBe() {
        long[] posted = {0, 2_000, 4_000, 6_000, 8_000};
        LatencyReport report = LatencyReport.of(2, posted);
        assertThat(report.min()).isEqualTo(1);
        assertThat(report.max()).isEqualTo(1);
        assertThat(report.percentile999()).isEqualTo(1);
    }
}
