package io.rdmanet.bw.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.ProbeReport;
import io.rdmanet.bw.run.ComparisonResult;
import io.rdmanet.bw.run.ComparisonResult.CellCost;
import io.rdmanet.bw.run.ComparisonResult.CopyResult;
import io.rdmanet.bw.run.ComparisonResult.LeftOut;
import io.rdmanet.bw.run.FakeProvider;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.Rate;
import io.rdmanet.bw.run.Results;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ComparisonReportTest {
    private static final CopyResult LIMIT =
            new CopyResult(1024, 128, List.of(new Rate(1000, 1024_000, 500_000)));

    @Test
    void givesRatiosToRawAndToTheCopyLimit() {
        List<String> lines =
                ComparisonReport.lines(
                        new ComparisonResult(
                                List.of(
                                        Results.cell("loopback", Mode.BATCH, 1024, 2_000_000),
                                        Results.cell("loopback", Mode.RAW, 1024, 1_000_000)),
                                List.of(LIMIT),
                                List.of(new LeftOut("ffm", "no device")),
                                List.of()));

        assertThat(lines).hasSize(5);
        assertThat(lines.getFirst())
                .matches("provider +mode +bytes +Gb/s +min +max +Mpps +/raw +/copy");
        assertThat(lines.get(1)).matches("- +copy limit +1k +16.38 +16.38 +16.38 +2.000 +- +1.00");
        assertThat(lines.get(2))
                .matches("loopback +batch 32 +1k +4.096 +4.096 +4.096 +0.5000 +0.50 +0.25");
        assertThat(lines.get(3))
                .matches("loopback +raw +1k +8.192 +8.192 +8.192 +1.000 +1.00 +0.50");
        assertThat(lines.get(4)).isEqualTo("left out: ffm: no device");
    }

    @Test
    void comparesProvidersWhenThereAreSeveral() {
        List<String> lines =
                ComparisonReport.lines(
                        new ComparisonResult(
                                List.of(
                                        Results.cell("ffm", Mode.RAW, 1024, 1_000_000),
                                        Results.cell("loopback", Mode.RAW, 1024, 500_000)),
                                List.of(),
                                List.of(),
                                List.of()));

        assertThat(lines.getFirst()).endsWith("ffm/loopback");
        assertThat(lines.get(1)).endsWith("0.50");
        assertThat(lines.get(2)).endsWith("0.50");
    }

    @Test
    void comparesEachWithTheFirstWhenThereAreMore() {
        List<String> lines =
                ComparisonReport.lines(
                        new ComparisonResult(
                                List.of(
                                        Results.cell("ffm", Mode.RAW, 1024, 1_000_000),
                                        Results.cell("disni", Mode.RAW, 1024, 2_000_000),
                                        Results.cell("loopback", Mode.RAW, 1024, 500_000)),
                                List.of(),
                                List.of(),
                                List.of()));

        assertThat(lines.getFirst()).endsWith("/ffm");
        assertThat(lines.get(1)).endsWith("1.00");
        assertThat(lines.get(2)).endsWith("0.50");
        assertThat(lines.get(3)).endsWith("2.00");
    }

    @Test
    void showsWhatPostingAndPollingCost() {
        CellCost cost =
                new CellCost(
                        "loopback", Mode.MSG, 64, new ProbeReport(1000, 80_000, 250_000, 0, 0, 0));
        List<String> lines =
                ComparisonReport.lines(
                        new ComparisonResult(
                                List.of(
                                        Results.cell("loopback", Mode.MSG, 64, 1_000_000),
                                        Results.cell("loopback", Mode.RAW, 64, 1_000_000)),
                                List.of(),
                                List.of(cost),
                                List.of(),
                                List.of()));

        assertThat(lines.getFirst()).endsWith("post ns  poll ns");
        assertThat(lines.get(1)).matches(".* 80.00 +250.0");
        assertThat(lines.get(2)).matches(".* - +-");
    }

    @Test
    void hasNoRatioWithoutABase() {
        List<String> lines =
                ComparisonReport.lines(
                        new ComparisonResult(
                                List.of(Results.cell("loopback", Mode.MSG, 64, 1_000_000)),
                                List.of(LIMIT),
                                List.of(),
                                List.of()));

        assertThat(lines.getLast()).matches("loopback +msg +64 .* +- +-");
    }

    @Test
    void showsProvidersThatAreNotUsableAndWhy() {
        List<String> lines =
                ProvidersReport.lines(
                        List.of(
                                FakeProvider.usable("good"),
                                FakeProvider.unusable("bad", "no library: install it")));

        assertThat(lines)
                .contains(
                        "good (priority 1): usable",
                        "  device good0 (fake)",
                        "bad (priority 1): not usable: no library: install it",
                        "  can:    device-list");
        assertThat(lines).anyMatch(line -> line.startsWith("    cannot be asked: "));
    }

    @Test
    void showsTheSameAsJson() {
        JsonNode document =
                JsonMapper.builder()
                        .build()
                        .readTree(
                                ProvidersReport.json(
                                        List.of(FakeProvider.unusable("bad", "no library"))));

        JsonNode provider = document.get("providers").get(0);
        assertThat(provider.get("name").asString()).isEqualTo("bad");
        assertThat(provider.get("usable").asBoolean()).isFalse();
        assertThat(provider.get("reason").asString()).isEqualTo("no library");
        assertThat(provider.get("missing").size()).isPositive();
        assertThat(provider.get("devices").isEmpty()).isTrue();
    }
}
