package io.rdmanet.bw.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `compare` as a user starts it.
class CompareCliTest {
    private static final String QUICK = " -D 0.02 --warmup 0.01 --repeat 2 --sizes 64,4k";

    @TempDir private Path folder = Path.of("");

    @Test
    void comparesAllModesAndWritesADocument() throws Exception {
        Path json = folder.resolve("out.json");
        Path plot = folder.resolve("out.svg");
        try (ToolProcess tool =
                ToolProcess.start("compare" + QUICK + " --json " + json + " --plot " + plot)) {
            assertThat(tool.awaitExit()).as(tool::toString).isZero();

            assertThat(tool.err()).isEmpty();
            assertThat(tool.out().getFirst())
                    .startsWith("provider ")
                    .contains("/raw  /copy  post ns  poll ns");
            assertThat(tool.out().get(1)).contains("copy limit");
            JsonNode document = JsonMapper.builder().build().readTree(Files.readString(json));
            assertThat(document.propertyNames())
                    .containsExactly("results", "limits", "costs", "leftOut");
            assertThat(document.get("costs").size()).isEqualTo(8);
            for (JsonNode cost : document.get("costs")) {
                assertThat(cost.get("postNanos").asDouble()).isPositive();
                assertThat(cost.get("pollNanos").asDouble()).isPositive();
            }
            assertThat(Files.readString(plot)).startsWith("<?xml").contains("<svg");
            assertThat(document.get("limits").size()).isEqualTo(2);
            assertThat(document.get("results").size()).isEqualTo(8);
            for (JsonNode result : document.get("results")) {
                assertThat(result.get("provider").asString()).isEqualTo("loopback");
                assertThat(result.get("device").asString()).isNotEmpty();
                assertThat(result.get("repeats").size()).isEqualTo(2);
                assertThat(result.get("gbps").asDouble()).isPositive();
            }
        }
    }

    @Test
    void leavesNoProcessBehindWhenItIsKilled() throws Exception {
        try (ToolProcess tool = ToolProcess.start("compare --repeat 100")) {
            List<ProcessHandle> workers = awaitWorkers(tool);

            tool.kill();

            for (ProcessHandle worker : workers) {
                worker.onExit().get(ToolProcess.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    private static List<ProcessHandle> awaitWorkers(ToolProcess tool) throws InterruptedException {
        long deadline = System.nanoTime() + ToolProcess.PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            List<ProcessHandle> workers = tool.handle().children().toList();
            if (workers.size() == 2) {
                return workers;
            }
            Thread.sleep(50);
        }
        throw new AssertionError("no workers; " + tool);
    }

    @Test
    void failsWhenAWorkerDies() throws Exception {
        try (ToolProcess tool =
                ToolProcess.start("compare --repeat 100 --timeout 5 --modes msg --sizes 64")) {
            awaitWorkers(tool).getFirst().destroyForcibly();

            assertThat(tool.awaitExit()).as(tool::toString).isEqualTo(1);
            assertThat(tool.err()).as(tool::toString).hasSize(1);
            assertThat(tool.out()).anyMatch(line -> line.startsWith("left out: loopback: failed"));
        }
    }
}
