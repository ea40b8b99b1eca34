package io.rdmanet.bw.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Server and client as a user starts them: two processes on the loopback device.
class MeasureCliTest {
    private static final String QUICK = " --warmup 0.01 ";

    @TempDir private Path folder = Path.of("");

    private static JsonNode parse(String text) {
        return JsonMapper.builder().build().readTree(text);
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', msg, rdma_cm, adaptive",
        "--poll busy, --poll busy, msg, rdma_cm, busy",
        "--poll event, --poll event, msg, rdma_cm, event",
        "'', -b 32, batch, rdma_cm, adaptive",
        "--handshake, --handshake -b 8, batch, tcp, adaptive",
        "'', --zero-copy, zero-copy, rdma_cm, adaptive",
        "-s 4k --depth 16, --zero-copy -b 32, zero-copy, rdma_cm, adaptive",
        "--raw, --raw, raw, rdma_cm, busy",
        "--raw, --raw -b 256, raw, rdma_cm, busy",
        "--raw -b 128, --raw -b 256, raw, rdma_cm, busy",
        "--raw, --raw --raw-single --raw-onebuf, raw, rdma_cm, busy",
        "--raw --handshake, --raw --handshake, raw, tcp, busy"
    })
    void measuresEachModeAndBothEndsEndWell(
            String serverOptions, String clientOptions, String mode, String setup, String poll)
            throws Exception {
        Path json = folder.resolve("out.json");
        try (ToolProcess server = ToolProcess.start(("-p 0 " + serverOptions).trim());
                ToolProcess client =
                        ToolProcess.start(
                                (clientOptions + QUICK + "-n 500 -s 4k --repeat 3 --json ").trim()
                                        + " "
                                        + json
                                        + " 127.0.0.1:"
                                        + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client::toString).isZero();
            assertThat(server.awaitExit()).as(server::toString).isZero();

            assertThat(client.err()).isEmpty();
            assertThat(server.err()).isEmpty();
            JsonNode result = parse(Files.readString(json)).get("results").get(0);
            assertThat(result.get("provider").asString()).isEqualTo("loopback");
            assertThat(result.get("mode").asString()).isEqualTo(mode);
            assertThat(result.get("setup").asString()).isEqualTo(setup);
            assertThat(result.get("pollMode").asString()).isEqualTo(poll);
            assertThat(result.get("sizeBytes").asInt()).isEqualTo(4096);
            assertThat(result.get("count").asInt()).isEqualTo(500);
            assertThat(result.get("repeats").size()).isEqualTo(3);
            assertThat(result.get("mpps").asDouble()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "'', -b 16",
        "'', --zero-copy -b 4",
        "--raw, --raw -b 16",
        "--raw, --raw --raw-single"
    })
    void checksEveryByteOfEverySize(String serverOptions, String clientOptions) throws Exception {
        try (ToolProcess server = ToolProcess.start(("-p 0 " + serverOptions).trim());
                ToolProcess client =
                        ToolProcess.start(
                                (clientOptions + " --verify -a -n 40 --warmup 0 127.0.0.1:").trim()
                                        + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client::toString).isZero();
            assertThat(server.awaitExit()).as(server::toString).isZero();

            assertThat(client.out()).contains("verify: every byte was right");
            String sizes = serverOptions.isEmpty() ? " x (\\d+) bytes" : "^ (\\d+) +40 ";
            assertThat(server.out().stream().filter(Pattern.compile(sizes).asPredicate()))
                    .hasSize(23);
        }
    }

    @Test
    void saysWhatItIgnores() throws Exception {
        try (ToolProcess server = ToolProcess.start("-p 0 --raw -b 128 -n 7");
                ToolProcess client =
                        ToolProcess.start(
                                "--raw -n 100 --warmup 0 --poll event -b 16 --depth 8 127.0.0.1:"
                                        + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client::toString).isZero();
            assertThat(server.awaitExit()).as(server::toString).isZero();

            assertThat(server.out())
                    .contains(
                            "note: --batch is ignored: the server follows the client",
                            "note: --count is ignored: the server follows the client");
            assertThat(client.out())
                    .contains(
                            "note: --poll is ignored: the raw tier always polls busily",
                            "note: --depth is ignored: in the raw tier -b is the transmit depth");
            assertThat(client.out()).contains(" TX depth        : 16");
        }
    }

    @Test
    void keepsStandardOutputForTheDocument() throws Exception {
        try (ToolProcess server = ToolProcess.start("-p 0");
                ToolProcess client =
                        ToolProcess.start(
                                "-n 100 --json - --probe 127.0.0.1:" + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client::toString).isZero();

            JsonNode document = parse(String.join("\n", client.out()));
            assertThat(document.get("results").size()).isEqualTo(1);
            assertThat(client.err())
                    .anyMatch(line -> line.startsWith("SendMsg: sent 100 x 65536 bytes in "))
                    .anyMatch(line -> line.contains("bytes allocated per message"))
                    .anyMatch(line -> line.contains("wait for completions"))
                    .anyMatch(line -> line.startsWith("safepoints: "));
        }
    }

    @Test
    void servesOneClientAfterAnotherInALoop() throws Exception {
        try (ToolProcess server = ToolProcess.start("-p 0 --loop")) {
            int port = server.awaitPort();
            for (String options : new String[] {"-n 10", "-n 20 -b 4", "-n 30 --zero-copy"}) {
                try (ToolProcess client =
                        ToolProcess.start(options + " --warmup 0 127.0.0.1:" + port)) {
                    assertThat(client.awaitExit()).as(client::toString).isZero();
                }
            }
            server.awaitLine(Pattern.compile("received 30 x"));
            assertThat(server.handle().isAlive()).isTrue();
        }
    }

    @Test
    void refusesAZeroCopyMessageThatTheServersSlotsDoNotHold() throws Exception {
        try (ToolProcess server = ToolProcess.start("-p 0 -s 4k");
                ToolProcess client =
                        ToolProcess.start("--zero-copy -s 8k 127.0.0.1:" + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client::toString).isEqualTo(1);
            assertThat(client.err()).singleElement().asString().contains("give the server -s 8192");
            assertThat(server.awaitExit()).as(server::toString).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--handshake", "--raw", "--raw --handshake"})
    void saysThatNobodyListens(String options) throws Exception {
        int port;
        try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (ToolProcess client =
                ToolProcess.start((options + " --timeout 5 127.0.0.1:" + port).trim())) {
            assertThat(client.awaitExit()).as(client::toString).isEqualTo(1);
            assertThat(client.err()).as(client::toString).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--handshake", "--raw", "--raw --handshake"})
    void saysThatThePortIsInUse(String options) throws Exception {
        try (ToolProcess server = ToolProcess.start(("-p 0 " + options).trim());
                ToolProcess second =
                        ToolProcess.start(("-p " + server.awaitPort() + " " + options).trim())) {
            assertThat(second.awaitExit()).as(second::toString).isEqualTo(1);
            assertThat(second.err()).as(second::toString).hasSize(1);
            assertThat(server.handle().isAlive()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"'', --raw", "--raw, ''"})
    void refusesAClientOfTheOtherKindAndServesTheNext(String serverOptions, String wrong)
            throws Exception {
        try (ToolProcess server = ToolProcess.start(("-p 0 " + serverOptions).trim())) {
            int port = server.awaitPort();
            try (ToolProcess client =
                    ToolProcess.start((wrong + " -n 10 --timeout 5 127.0.0.1:" + port).trim())) {
                assertThat(client.awaitExit()).as(client::toString).isEqualTo(1);
                assertThat(client.err()).as(client::toString).hasSize(1);
            }
            try (ToolProcess client =
                    ToolProcess.start(
                            (serverOptions + " -n 10 --warmup 0 127.0.0.1:" + port).trim())) {
                assertThat(client.awaitExit()).as(client::toString).isZero();
            }
            assertThat(server.awaitExit()).as(server::toString).isZero();
        }
    }

    @Test
    void listsProviders() throws Exception {
        try (ToolProcess tool = ToolProcess.start("providers")) {
            assertThat(tool.awaitExit()).as(tool::toString).isZero();
            assertThat(tool.out())
                    .anyMatch(line -> line.startsWith("loopback (priority 0): usable"));
        }
    }

    @Test
    void namesTheProvidersThereAre() throws IOException, InterruptedException {
        try (ToolProcess tool = ToolProcess.start("--provider nobody -p 0")) {
            assertThat(tool.awaitExit()).as(tool::toString).isEqualTo(1);
            assertThat(tool.err()).singleElement().asString().contains("nobody", "loopback");
        }
    }

    @EnabledOnOs(value = OS.LINUX, disabledReason = "there is no /dev/full")
    @Test
    void failsWhenItsResultsCannotBeWritten() throws Exception {
        try (ToolProcess server = ToolProcess.start("-p 0");
                ToolProcess client =
                        ToolProcess.start(
                                "-n 10 --warmup 0 --json /dev/full 127.0.0.1:"
                                        + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client::toString).isEqualTo(1);
            assertThat(client.err()).anyMatch(line -> line.contains("could not be written"));
            assertThat(server.awaitExit()).as(server::toString).isZero();
        }
    }
}
