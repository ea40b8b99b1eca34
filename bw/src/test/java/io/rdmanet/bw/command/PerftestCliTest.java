package io.rdmanet.bw.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `--perftest`, `--verb` and `lat` as a user starts them, both ends ours.
class PerftestCliTest {
    private static final Pattern ROW =
            Pattern.compile("^ (\\d+) +(\\d+) +([0-9.]+) +([0-9.]+) *\t\t +([0-9.]+)$");
    private static final Pattern LATENCY_ROW = Pattern.compile("^ (\\d+) +(\\d+)( +[0-9.]+){6}$");

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String commandLine) {
        return Main.run(
                commandLine.split(" "),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--perftest -n 4 127.0.0.1",
                "--perftest -D 1.5 127.0.0.1",
                "--perftest -D 3 -a 127.0.0.1",
                "--perftest -n 5 -D 1",
                "--perftest -s 5 -a",
                "--perftest -q 0 127.0.0.1",
                "--perftest -b 5 127.0.0.1",
                "--perftest --verify 127.0.0.1",
                "--perftest --json - 127.0.0.1",
                "--perftest --verb write 127.0.0.1",
                "--perftest=atomic 127.0.0.1",
                "--perftest --loop 127.0.0.1",
                "-q 2 127.0.0.1",
                "--bidirectional 127.0.0.1",
                "--verb write 127.0.0.1",
                "--raw --verb write --verify 127.0.0.1",
                "lat -a 127.0.0.1",
                "lat --raw --zero-copy",
                "lat --raw -b 2 127.0.0.1",
                "lat --raw --poll event",
                "lat --perftest -n 4",
                "lat --perftest --verify",
                "lat --perftest --raw",
                "lat --perftest --warmup 1",
                "lat --perftest -n 10000001 127.0.0.1",
                "lat -s 128m -b 2 127.0.0.1",
                "lat -s 1m -b 65 127.0.0.1",
                "lat --json - --histogram - 127.0.0.1",
                "lat --json -",
                "lat --loop 127.0.0.1",
                "-s 64 lat 127.0.0.1"
            })
    void refusesWhatMakesNoSenseInOneLine(String commandLine) {
        assertThat(run(commandLine)).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--json", "--csv"})
    void saysWhyNoFilesAreWritten(String option) {
        run("--perftest " + option + " - 127.0.0.1");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("prints the C tools' table");
    }

    @ParameterizedTest
    @CsvSource({"--warmup 1, --warmup", "--raw -s 4k, --size", "-n 5, --count"})
    void latServerSaysWhatItIgnores(String options, String ignored) throws Exception {
        try (ToolProcess server = ToolProcess.start("lat -p 0 " + options)) {
            server.awaitPort();
            assertThat(server.out())
                    .contains("note: " + ignored + " is ignored: the server follows the client");
        }
    }

    @Test
    void latWithPerftestSaysThatItConnectsByTcpAnyway() throws Exception {
        try (ToolProcess server =
                ToolProcess.start("lat --perftest --handshake --provider loopback -p 0")) {
            server.awaitPort();
            assertThat(server.out())
                    .anyMatch(line -> line.startsWith("note: --handshake is ignored"));
        }
    }

    @Test
    void saysInOneLineThatMemoryDoesNotSuffice() {
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        int status =
                Main.status(
                        new Terminal(stream, stream),
                        () -> {
                            throw new OutOfMemoryError("Java heap space");
                        });
        assertThat(status).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("Java heap space", "-Xmx");
    }

    @Test
    void saysWhatTheCToolsBIsCalledHere() {
        run("--perftest -b 5 127.0.0.1");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--bidirectional", "--depth");
    }

    @ParameterizedTest
    @CsvSource({
        "--perftest, 4096, 100, 100",
        "--perftest send -q 2, 4096, 100, 200",
        "--perftest -a, 8388608, 5, 5",
        "--perftest write, 65536, 100, 100",
        "--perftest READ --bidirectional, 4096, 100, 100",
        "--perftest=write -a, 8388608, 5, 5",
    })
    void printsTheTableOfTheCTools(String options, int size, int count, int counted)
            throws Exception {
        String common =
                options
                        + " --provider loopback -n "
                        + count
                        + (options.contains("-a") ? "" : " -s " + size);
        try (ToolProcess server = ToolProcess.start(common + " -p 0");
                ToolProcess client =
                        ToolProcess.start(common + " 127.0.0.1:" + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client.toString()).isZero();
            assertThat(server.awaitExit()).as(server.toString()).isZero();
            for (ToolProcess end : new ToolProcess[] {server, client}) {
                assertThat(end.out()).anyMatch(line -> line.contains("BW average[MiB/sec]"));
                assertThat(
                                end.out().stream()
                                        .map(ROW::matcher)
                                        .filter(row -> row.matches())
                                        .reduce((first, second) -> second))
                        .hasValueSatisfying(row -> {
                            assertThat(row.group(1)).isEqualTo("" + size);
                            assertThat(row.group(2)).isEqualTo("" + counted);
                        });
            }
        }
    }

    /// Clients that go at once, that speak no perftest, and that announce what no machine has are
    /// their own affair.
    @Test
    void serverInALoopOutlastsClientsThatResetOrSendGarbage() throws Exception {
        String common = "--perftest --provider loopback -s 64 -n 50 ";
        try (ToolProcess server = ToolProcess.start(common + "--loop --timeout 5 -p 0")) {
            int port = server.awaitPort();
            for (int i = 0; i < 5; i++) {
                Socket resetting = new Socket(InetAddress.getLoopbackAddress(), port);
                resetting.setSoLinger(true, 0);
                resetting.close();
            }
            try (Socket garbled = new Socket(InetAddress.getLoopbackAddress(), port)) {
                OutputStream out = garbled.getOutputStream();
                for (byte[] message :
                        new byte[][] {
                            Arrays.copyOf("6.06".getBytes(StandardCharsets.US_ASCII), 16),
                            {0, 0, 0x10, 0},
                            {0, 0, 0x20, 0}
                        }) {
                    out.write(message);
                    assertThat(garbled.getInputStream().readNBytes(message.length))
                            .hasSize(message.length);
                }
            }
            try (ToolProcess client = ToolProcess.start(common + "127.0.0.1:" + port)) {
                assertThat(client.awaitExit()).as(client + "\n" + server).isZero();
            }
            assertThat(server.err()).anyMatch(line -> line.contains("cache line"));
            assertThat(server.handle().isAlive()).isTrue();
        }
    }

    @Test
    void failsWithStatus1WhenTheEndsDiffer() throws Exception {
        try (ToolProcess server = ToolProcess.start("--perftest --provider loopback -p 0 -n 50");
                ToolProcess client =
                        ToolProcess.start(
                                "--perftest --provider loopback --timeout 3 -n 10 127.0.0.1:"
                                        + server.awaitPort())) {
            assertThat(server.awaitExit()).as(server.toString()).isEqualTo(1);
            assertThat(client.awaitExit()).as(client.toString()).isEqualTo(1);
            assertThat(server.err()).singleElement().asString().contains("-n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "read"})
    void rawTierWritesAndReads(String verb) throws Exception {
        try (ToolProcess server = ToolProcess.start("--raw -p 0");
                ToolProcess client =
                        ToolProcess.start(
                                "--raw --warmup 0.1 -n 5000 -s 4096 --csv - --verb "
                                        + verb
                                        + " 127.0.0.1:"
                                        + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client.toString()).isZero();
            assertThat(server.awaitExit()).as(server.toString()).isZero();
            assertThat(client.err())
                    .anyMatch(line ->
                            line.contains(verb.equals("write") ? "RDMA_Write" : "RDMA_Read"))
                    .anyMatch(line -> ROW.matcher(line).matches());
            assertThat(client.out())
                    .anyMatch(line -> line.contains(",raw-" + verb + ",4096,5000,"));
            assertThat(server.out()).anyMatch(line -> line.contains("at the client"));
        }
    }

    /// The server asks a silent client again and again whether it is there.
    @Test
    void rawServerOutlastsARunOfWritesThatIsLongerThanItsTimeout() throws Exception {
        try (ToolProcess server = ToolProcess.start("--raw --timeout 1 -p 0");
                ToolProcess client =
                        ToolProcess.start(
                                "--raw --warmup 0 -D 4 -s 4096 --verb write 127.0.0.1:"
                                        + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client.toString()).isZero();
            assertThat(server.awaitExit()).as(server.toString()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "'', -b 8",
        "'', --zero-copy",
        "--poll event, --poll event",
        "--raw, --raw",
        "--handshake, --handshake"
    })
    void measuresLatency(String serverOptions, String clientOptions, @TempDir Path folder)
            throws Exception {
        Path json = folder.resolve("lat.json");
        Path histogram = folder.resolve("lat.hgrm");
        String client =
                "lat %s -n 200 -s 64 --warmup 0.1 --verify --json %s --histogram %s 127.0.0.1:"
                        .formatted(clientOptions, json, histogram)
                        .replace("  ", " ");
        try (ToolProcess server =
                        ToolProcess.start(
                                "lat %s -p 0".formatted(serverOptions).replace("  ", " "));
                ToolProcess measuring = ToolProcess.start(client + server.awaitPort())) {
            assertThat(measuring.awaitExit()).as(measuring.toString()).isZero();
            assertThat(server.awaitExit()).as(server.toString()).isZero();
            assertThat(measuring.out())
                    .anyMatch(line -> LATENCY_ROW.matcher(line).matches())
                    .contains("verify: every byte was right");
        }
        assertThat(Files.readString(json)).contains("\"p999Micros\"", "\"mode\" : \"lat\"");
        assertThat(Files.readString(histogram)).contains("Percentile", "#[Mean");
    }

    @Test
    void measuresLatencyAsIbSendLatDoes() throws Exception {
        String common = "lat --perftest --provider loopback -n 200";
        try (ToolProcess server = ToolProcess.start(common + " -p 0");
                ToolProcess client =
                        ToolProcess.start(common + " 127.0.0.1:" + server.awaitPort())) {
            assertThat(client.awaitExit()).as(client.toString()).isZero();
            assertThat(server.awaitExit()).as(server.toString()).isZero();
            assertThat(client.out())
                    .anyMatch(line -> line.contains("99.9% percentile[usec]"))
                    .anyMatch(line -> line.startsWith(" 2       200          "));
        }
    }
}
