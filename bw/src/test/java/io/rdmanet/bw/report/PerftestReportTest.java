package io.rdmanet.bw.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.bw.perftest.wire.BandwidthReport;
import org.junit.jupiter.api.Test;

class PerftestReportTest {
    @Test
    void printsARowAsTheCToolsDo() {
        assertThat(PerftestReport.row(new BandwidthReport(4096, 1000, 30.57, 9.78, 0.002503)))
                .isEqualTo(
                        " 4096       1000             30.57              9.78   \t\t     0.002503");
    }
}
