package io.rdmanet.bw.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `--probe` on both ends, as text, as JSON and for the flight recorder.
class ProbeCliTest {
    private static final Pattern PRINT_COMMAND =
            Pattern.compile("^jfr print --events '(\\S+)' (\\S+\\.jfr)", Pattern.MULTILINE);

    @TempDir private Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "'', ' --zero-copy -b 8'",
        "' --raw', ' --raw'",
        "' --raw', ' --raw --raw-single'"
    })
    void tellsTheWholeStoryOnBothEnds(String serverOptions, String clientOptions) throws Exception {
        Path served = folder.resolve("server.json");
        Path sent = folder.resolve("client.json");
        try (ToolProcess server =
                        ToolProcess.start("-p 0 --probe --json " + served + serverOptions);
                ToolProcess client =
                        ToolProcess.start(
                                "--probe -n 500 -s 4k --warmup 0 --json "
                                        + sent
                                        + clientOptions
                                        + " 127.0.0.1:"
                                        + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client::toString).isZero();
            assertThat(server.awaitExit()).as(server::toString).isZero();
            for (ToolProcess end : List.of(server, client)) {
                assertThat(end.err()).isEmpty();
                assertThat(end.out())
                        .anyMatch(line -> line.contains("bytes allocated per message"))
                        .anyMatch(line -> line.matches("    post +[0-9.]+ ns +[0-9.]+ %"))
                        .anyMatch(line -> line.matches("    poll +[0-9.]+ ns +[0-9.]+ %"))
                        .anyMatch(line -> line.contains("wait for completions"))
                        .anyMatch(line -> line.contains("wait for messages"))
                        .anyMatch(line -> line.startsWith("garbage collection: "))
                        .anyMatch(line -> line.matches("safepoints: .*; time to safepoint .*"))
                        .anyMatch(line -> line.startsWith("threads: "));
            }
        }
        for (Path document : List.of(served, sent)) {
            JsonNode read = JsonMapper.builder().build().readTree(Files.readString(document));
            JsonNode probe = read.get("results").get(0).get("probe");
            assertThat(probe.get("workRequests").asLong()).isPositive();
            assertThat(probe.get("postNanos").asDouble()).isPositive();
            assertThat(probe.get("pollNanos").asDouble()).isPositive();
            JsonNode process = read.get("process");
            assertThat(process.get("timeToSafepointMillis").isNumber()).isTrue();
            assertThat(process.get("threads").isNull()).isNotEqualTo(OS.LINUX.isCurrentOs());
        }
    }

    @Test
    void leavesTheProbeOutOfDocumentsUnlessAsked() throws Exception {
        Path sent = folder.resolve("client.json");
        try (ToolProcess server = ToolProcess.start("-p 0 --raw");
                ToolProcess client =
                        ToolProcess.start(
                                "-n 100 --warmup 0 --raw --json "
                                        + sent
                                        + " 127.0.0.1:"
                                        + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client::toString).isZero();
            JsonNode read = JsonMapper.builder().build().readTree(Files.readString(sent));
            assertThat(read.has("process")).isFalse();
            assertThat(read.get("results").get(0).has("probe")).isFalse();
        }
    }

    @Test
    void recordsTheSameForTheFlightRecorder() throws Exception {
        Path recording = folder.resolve("run.jfr");
        try (ToolProcess server = ToolProcess.start("-p 0 --raw");
                ToolProcess client =
                        ToolProcess.start(
                                List.of("-XX:StartFlightRecording:filename=" + recording),
                                "--probe --raw -n 500 -s 4k --warmup 0 --repeat 3 127.0.0.1:"
                                        + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client::toString).isZero();
        }

        List<RecordedEvent> events = RecordingFile.readAllEvents(recording);
        assertThat(named(events, "io.rdmanet.bw.Run"))
                .hasSize(3)
                .allSatisfy(run -> {
                    assertThat(run.getString("provider")).isEqualTo("loopback");
                    assertThat(run.getString("mode")).isEqualTo("raw");
                    assertThat(run.getString("end")).isEqualTo("sender");
                    assertThat(run.getLong("messages")).isEqualTo(500);
                    assertThat(run.getInt("size")).isEqualTo(4096);
                    assertThat(run.getLong("workRequests")).isPositive();
                    assertThat(run.getDouble("postNanos")).isPositive();
                    assertThat(run.getDouble("pollNanos")).isPositive();
                });
        if (OS.LINUX.isCurrentOs()) {
            assertThat(named(events, "io.rdmanet.bw.Thread"))
                    .isNotEmpty()
                    .allSatisfy(thread -> assertThat(thread.getString("processors")).isNotEmpty());
        }
        assertThat(named(events, "jdk.SafepointBegin")).isNotEmpty();
        assertThat(printedAsDocumented(recording))
                .contains("io.rdmanet.bw.Run {")
                .contains("postNanos = ")
                .contains("jdk.SafepointBegin {");
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    /// What the command in the README prints.
    private static String printedAsDocumented(Path recording)
            throws IOException, InterruptedException {
        Path readme =
                Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../README.md");
        Matcher command = PRINT_COMMAND.matcher(Files.readString(readme));
        assertThat(command.find()).isTrue();
        Process jfr =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jfr").toString(),
                                "print",
                                "--events",
                                command.group(1),
                                recording.toString())
                        .redirectErrorStream(true)
                        .start();
        String printed = new String(jfr.getInputStream().readAllBytes(), UTF_8);
        assertThat(jfr.waitFor()).as(printed).isZero();
        return printed;
    }
}
