package io.rdmanet.bw.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.ProbeReport;
import io.rdmanet.bw.probe.PauseReport;
import io.rdmanet.bw.probe.ProcessReport;
import io.rdmanet.bw.probe.ThreadPlacement;
import io.rdmanet.bw.probe.ThreadPlacement.Share;
import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.Rate;
import io.rdmanet.bw.run.Results;
import io.rdmanet.bw.run.RunOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What `--probe` shows, as text and as JSON.
class ProbeTextTest {
    private static final PauseReport PAUSES =
            new PauseReport(5, 4_000_000, 300_000, 200_000, 2, 3_500_000, 2_500_000);
    private static final ThreadPlacement MAIN =
            new ThreadPlacement("main", 120, List.of(new Share(1, 3), new Share(0, 1)));
    private static final ProbeReport PROBE =
            new ProbeReport(1000, 100_000, 50_000, 0, 500_000, 250_000);
    private static final RunOutcome OUTCOME =
            new RunOutcome(new Rate(1000, 10_000, 1_000_000), 0, 0, 0, PROBE, 0);

    private static JsonNode parse(String text) {
        return JsonMapper.builder().build().readTree(text);
    }

    @Test
    void showsTheRawTierWithoutCredits() {
        String text =
                String.join("\n", ProbeText.ofRun(Results.setting("ffm", Mode.RAW, 10), OUTCOME));

        assertThat(text)
                .containsPattern("post +100.0 ns +10.0 %")
                .containsPattern("poll +50.0 ns +5.0 %")
                .containsPattern("wait for completions +500.0 ns +50.0 %")
                .containsPattern("wait for messages +250.0 ns +25.0 %")
                .doesNotContain("credits");
    }

    @Test
    void showsPausesAndProcessors() {
        assertThat(ProbeText.ofProcess(new ProcessReport(PAUSES, List.of(MAIN))))
                .containsExactly(
                        "garbage collection: 2 pauses, 3.500 ms in all, the longest 2.500 ms",
                        "safepoints: 5, 4.000 ms in all; time to safepoint 0.300 ms, the longest"
                                + " 0.200 ms",
                        "threads: processor time, and the processors that each ran on:",
                        "    main                  120 ms  1 (75 %), 0 (25 %)");
    }

    @Test
    void saysWhereTheSystemDoesNotTellTheProcessors() {
        assertThat(ProbeText.ofProcess(new ProcessReport(PAUSES, null)).getLast())
                .isEqualTo("threads: which processors they ran on is not known here");
        assertThat(
                        parse(JsonReport.of(List.of(), new ProcessReport(PAUSES, null)))
                                .get("process")
                                .get("threads")
                                .isNull())
                .isTrue();
    }

    @Test
    void putsTheSameIntoJson() {
        CellResult result = new CellResult(Results.setting("ffm", Mode.RAW, 10), List.of(OUTCOME));

        JsonNode document =
                parse(JsonReport.of(List.of(result), new ProcessReport(PAUSES, List.of(MAIN))));

        JsonNode probe = document.get("results").get(0).get("probe");
        assertThat(probe.get("workRequests").asLong()).isEqualTo(1000);
        assertThat(probe.get("postNanos").asDouble()).isEqualTo(100);
        assertThat(probe.get("pollNanos").asDouble()).isEqualTo(50);
        assertThat(probe.get("creditWaitNanos").asDouble()).isZero();
        assertThat(probe.get("completionWaitNanos").asDouble()).isEqualTo(500);
        assertThat(probe.get("receiveWaitNanos").asDouble()).isEqualTo(250);
        JsonNode process = document.get("process");
        assertThat(process.get("gcPauses").asLong()).isEqualTo(2);
        assertThat(process.get("gcPauseMillis").asDouble()).isEqualTo(3.5);
        assertThat(process.get("longestGcPauseMillis").asDouble()).isEqualTo(2.5);
        assertThat(process.get("safepoints").asLong()).isEqualTo(5);
        assertThat(process.get("safepointMillis").asDouble()).isEqualTo(4);
        assertThat(process.get("timeToSafepointMillis").asDouble()).isEqualTo(0.3);
        assertThat(process.get("longestTimeToSafepointMillis").asDouble()).isEqualTo(0.2);
        JsonNode thread = process.get("threads").get(0);
        assertThat(thread.get("name").asString()).isEqualTo("main");
        assertThat(thread.get("processorMillis").asLong()).isEqualTo(120);
        assertThat(thread.get("processors").get(0).get("processor").asInt()).isEqualTo(1);
        assertThat(thread.get("processors").get(0).get("samples").asInt()).isEqualTo(3);
    }
}
