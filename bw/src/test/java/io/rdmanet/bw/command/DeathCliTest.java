package io.rdmanet.bw.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// One of the two processes dies in the middle of a run, or is interrupted.
class DeathCliTest {
    /// A run that does not end by itself in the time of a test.
    private static final String ENDLESS = " -D 60 --warmup 0 127.0.0.1:";

    /// 128 and the number of SIGTERM.
    private static final int TERMINATED = 143;

    private static final Pattern CONNECTED = Pattern.compile("connected ");

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "--poll event, --poll event",
        "--handshake, --handshake -b 32",
        "'', --zero-copy -b 32 -s 64",
        "--raw, --raw",
        "--raw --handshake, --raw --handshake"
    })
    void theClientEndsWithOneLineWhenTheServerIsKilled(String serverOptions, String clientOptions)
            throws Exception {
        try (ToolProcess server = ToolProcess.start(("-p 0 " + serverOptions).trim());
                ToolProcess client =
                        ToolProcess.start((clientOptions + ENDLESS).trim() + server.awaitPort())) {
            client.awaitLine(CONNECTED);

            server.kill();

            assertThat(client.awaitExit()).as(client::toString).isEqualTo(1);
            assertThat(client.err()).as(client::toString).hasSize(1);
            assertThat(client.err().getFirst()).startsWith("rdmanet-bw: ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "--poll event, --poll event",
        "--handshake, --handshake -b 32",
        "'', --zero-copy -b 32 -s 64",
        "--raw, --raw",
        "--raw --handshake, --raw --handshake"
    })
    void theServerEndsWithOneLineWhenTheClientIsKilled(String serverOptions, String clientOptions)
            throws Exception {
        try (ToolProcess server = ToolProcess.start(("-p 0 " + serverOptions).trim());
                ToolProcess client =
                        ToolProcess.start((clientOptions + ENDLESS).trim() + server.awaitPort())) {
            client.awaitLine(CONNECTED);

            client.kill();

            assertThat(server.awaitExit()).as(server::toString).isEqualTo(1);
            assertThat(server.err()).as(server::toString).hasSize(1);
            assertThat(server.err().getFirst()).startsWith("rdmanet-bw: ");
        }
    }

    @ParameterizedTest
    @CsvSource({"'', true", "'', false", "--raw, true", "--raw, false"})
    void oneEndOfAPingPongEndsWithOneLineLongBeforeItsTimeoutWhenTheOtherIsKilled(
            String tier, boolean isServerKilled) throws Exception {
        try (ToolProcess server = ToolProcess.start(("lat -p 0 --timeout 600 " + tier).trim());
                ToolProcess client =
                        ToolProcess.start(
                                ("lat --timeout 600 -n 1000000000 " + tier).trim()
                                        + " 127.0.0.1:"
                                        + server.awaitPort())) {
            client.awaitLine(CONNECTED);
            // Into the rounds, which begin right after the line.
            Thread.sleep(500);

            (isServerKilled ? server : client).kill();

            ToolProcess left = isServerKilled ? client : server;
            assertThat(left.awaitExit()).as(left::toString).isEqualTo(1);
            assertThat(left.err()).as(left::toString).hasSize(1);
            assertThat(left.err().getFirst()).startsWith("rdmanet-bw: ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--raw"})
    void aServerInALoopGoesOnWhenAClientIsKilled(String tier) throws Exception {
        try (ToolProcess server = ToolProcess.start(("-p 0 --loop " + tier).trim())) {
            int port = server.awaitPort();
            try (ToolProcess client = ToolProcess.start((tier + ENDLESS).trim() + port)) {
                client.awaitLine(CONNECTED);
                client.kill();
                client.awaitExit();
            }
            try (ToolProcess client =
                    ToolProcess.start((tier + " -n 10 --warmup 0 127.0.0.1:").trim() + port)) {
                assertThat(client.awaitExit()).as(client::toString).isZero();
            }
            assertThat(server.err()).as(server::toString).hasSize(1);
        }
    }

    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "processes there end without a signal")
    @ParameterizedTest
    @CsvSource({"'', -b 8, sent \\d+ x 65536 bytes", "--raw, --raw, 65536 +\\d+"})
    void anInterruptedClientPrintsWhatItMeasured(
            String serverOptions, String clientOptions, String line) throws Exception {
        try (ToolProcess server = ToolProcess.start(("-p 0 " + serverOptions).trim());
                ToolProcess client =
                        ToolProcess.start((clientOptions + ENDLESS).trim() + server.awaitPort())) {
            client.awaitLine(CONNECTED);
            // Into the run, which begins right after the line.
            Thread.sleep(500);

            client.interrupt();

            assertThat(client.awaitExit()).as(client::toString).isEqualTo(TERMINATED);
            assertThat(client.out()).anyMatch(text -> Pattern.compile(line).matcher(text).find());
            assertThat(client.out()).anyMatch(text -> text.contains("interrupted"));
            assertThat(server.awaitExit()).as(server::toString).isZero();
        }
    }

    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "processes there end without a signal")
    @ParameterizedTest
    @CsvSource({"'', ''", "--raw, --raw"})
    void anInterruptedServerPrintsHowFarItCame(String serverOptions, String clientOptions)
            throws Exception {
        try (ToolProcess server = ToolProcess.start(("-p 0 " + serverOptions).trim());
                ToolProcess client =
                        ToolProcess.start((clientOptions + ENDLESS).trim() + server.awaitPort())) {
            server.awaitLine(CONNECTED);
            Thread.sleep(500);

            server.interrupt();

            assertThat(server.awaitExit()).as(server::toString).isEqualTo(TERMINATED);
            assertThat(server.out())
                    .anyMatch(text -> text.matches("interrupted after \\d+ x 65536 bytes.*"));
            assertThat(client.awaitExit()).as(client::toString).isEqualTo(1);
            assertThat(client.err()).as(client::toString).hasSize(1);
        }
    }
}
