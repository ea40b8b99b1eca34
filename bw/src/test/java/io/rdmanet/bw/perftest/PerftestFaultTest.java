package io.rdmanet.bw.perftest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.RawVerb;
import io.rdmanet.bw.perftest.PerftestEnd.Run;
import io.rdmanet.bw.perftest.wire.BandwidthReport;
import io.rdmanet.bw.perftest.wire.KeyMessageDescriptor;
import io.rdmanet.bw.perftest.wire.PreambleDescriptor;
import io.rdmanet.bw.perftest.wire.Recording;
import io.rdmanet.bw.perftest.wire.ReportDescriptor;
import io.rdmanet.bw.perftest.wire.ScriptedPeer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What this end makes of a peer that is none, or that fails: a message and an end, never a hang.
class PerftestFaultTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Run RUN = Run.of(RawVerb.SEND).timeout(TIMEOUT);
    private static final List<byte[]> PREAMBLE = Recording.of("sbw").sentBy(true).subList(0, 4);

    /// An InfiniBand-less tool's key with this device's kind of GID.
    private static byte[] key(int queuePairNumber) {
        String text =
                "0000:0001:%06x:8eb143:0000026e:000055d0e678e000:".formatted(queuePairNumber)
                        + "fd:72:64:6d:61:6e:65:74:00:00:00:00:00:00:00:01:00000000:\0";
        return text.getBytes(US_ASCII);
    }

    private static String complaintOfServer(Run run, ScriptedPeer.Script script) throws Exception {
        PerftestEnd server = PerftestEnd.server(run);
        try (ScriptedPeer _ = ScriptedPeer.client(server.address(), script)) {
            IOException failure = server.failure();
            assertThat(failure).as("the server's failure").isNotNull();
            return String.valueOf(requireNonNull(failure).getMessage());
        }
    }

    private static String complaintOfClient(Run run, ScriptedPeer.Script script) throws Exception {
        try (ServerSocket listener = ScriptedPeer.listener()) {
            PerftestEnd client =
                    PerftestEnd.client(
                            run,
                            new InetSocketAddress(
                                    listener.getInetAddress(), listener.getLocalPort()));
            try (ScriptedPeer _ = ScriptedPeer.server(listener, script)) {
                IOException failure = client.failure();
                assertThat(failure).as("the client's failure").isNotNull();
                return String.valueOf(requireNonNull(failure).getMessage());
            }
        }
    }

    /// The messages of a client up to the start of traffic, as far as wanted.
    private static void converse(ScriptedPeer peer, int messages, boolean asClient)
            throws IOException {
        byte[] key = key(0x11);
        List<byte[]> all =
                List.of(
                        PREAMBLE.get(0),
                        PREAMBLE.get(1),
                        PREAMBLE.get(2),
                        PREAMBLE.get(3),
                        key,
                        key,
                        key,
                        key);
        for (byte[] message : all.subList(0, messages)) {
            if (asClient) {
                peer.say(message);
                peer.hear(message.length);
            } else {
                peer.hear(message.length);
                peer.say(message);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void saysThatAClientDiedAtAnyStep(int step) throws Exception {
        assertThat(
                        complaintOfServer(
                                RUN,
                                peer -> {
                                    converse(peer, step, true);
                                    peer.die();
                                }))
                .contains("closed the connection or died");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void saysThatAServerDiedAtAnyStep(int step) throws Exception {
        String complaint =
                complaintOfClient(
                        RUN,
                        peer -> {
                            converse(peer, step, false);
                            peer.die();
                        });
        if (step < 8) {
            assertThat(complaint).contains("closed the connection or died");
        } else {
            // In traffic, whichever of the two is seen first.
            assertThat(complaint)
                    .containsAnyOf("closed the connection or died", "the peer has ended or failed");
        }
    }

    /// In traffic (7), before each message of the report (8 to 12), and at the close (13).
    @ParameterizedTest
    @ValueSource(ints = {7, 8, 9, 10, 11, 12, 13})
    void saysThatAClientOfWritesDiedInTrafficInItsReportOrAtTheClose(int step) throws Exception {
        Run run = Run.of(RawVerb.WRITE).sizes(65536).timeout(TIMEOUT);
        BandwidthReport report = new BandwidthReport(65536, 100, 13.7, 4.3, 0.0000688);
        assertThat(
                        complaintOfServer(
                                run,
                                peer -> {
                                    converse(peer, Math.min(step, 8), true);
                                    for (int i = 0; i < step - 8; i++) {
                                        peer.say(ReportDescriptor.encode(report, i));
                                        peer.hear(ReportDescriptor.LENGTH);
                                    }
                                    peer.die();
                                }))
                .contains("closed the connection or died")
                .contains(
                        step == 7
                                ? "the end of its run"
                                : step < 13 ? "its report" : "the run is over, but");
    }

    @Test
    void refusesKeysOfASharedReceiveQueue() throws Exception {
        byte[] key =
                new String(key(0x11), US_ASCII)
                        .replace(":00000000:", ":00000007:")
                        .getBytes(US_ASCII);
        assertThat(
                        complaintOfServer(
                                RUN,
                                peer -> {
                                    converse(peer, 4, true);
                                    peer.say(key);
                                }))
                .contains("shared receive queue 0x7", "XRC", "-c RC");
    }

    /// A peer of -c UD exchanges the same keys; then nothing comes.
    @Test
    void namesTheTransportWhereNothingCompletes() throws Exception {
        assertThat(complaintOfServer(RUN, peer -> converse(peer, 8, true)))
                .contains("nothing completed within 2 s", "-c RC");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 7, 8})
    void givesUpOnAClientThatFallsSilent(int step) throws Exception {
        assertThat(complaintOfServer(RUN, peer -> converse(peer, step, true)))
                .contains("within 2 s");
    }

    @Test
    void givesUpOnATargetOfWritesWhoseClientFallsSilent() throws Exception {
        Run run = Run.of(RawVerb.WRITE).timeout(TIMEOUT);
        assertThat(complaintOfServer(run, peer -> converse(peer, 7, true)))
                .contains("the end of its run")
                .contains("within");
    }

    /// A client of ib_write_bw that has run, and says how it went.
    private static String complaintOfReport(BandwidthReport report) throws Exception {
        Run run = Run.of(RawVerb.WRITE).sizes(65536).timeout(TIMEOUT);
        return complaintOfServer(
                run,
                peer -> {
                    converse(peer, 8, true);
                    for (int i = 0; i < ReportDescriptor.MESSAGES; i++) {
                        peer.say(ReportDescriptor.encode(report, i));
                        peer.hear(ReportDescriptor.LENGTH);
                    }
                });
    }

    @Test
    void refusesAReportInGigabits() throws Exception {
        assertThat(complaintOfReport(new BandwidthReport(65536, 100, 0.115, 0.0361, 0.0000689)))
                .contains("--report_gbits");
    }

    @ParameterizedTest
    @CsvSource({
        "NaN, 4.306, 0.0000689",
        "Infinity, 4.306, 0.0000689",
        "13.7, NaN, 0.0000689",
        "13.7, -4.306, -0.0000689",
        "13.7, Infinity, Infinity",
        "13.7, 4.306, NaN"
    })
    void refusesAReportThatCannotBe(double peak, double average, double rate) throws Exception {
        assertThat(complaintOfReport(new BandwidthReport(65536, 100, peak, average, rate)))
                .contains("reports what cannot be");
    }

    /// Both sizes are ones that a machine may have, but not together.
    @Test
    void refusesACacheLineThatIsLongerThanTheCycleBuffer() throws Exception {
        assertThat(
                        complaintOfServer(
                                Run.of(RawVerb.SEND).sizes(64).timeout(TIMEOUT),
                                peer -> {
                                    converse(peer, 2, true);
                                    peer.say(PreambleDescriptor.encodeSize(8192));
                                    peer.hear(PreambleDescriptor.SIZE_LENGTH);
                                }))
                .contains("does not speak perftest", "cache line", "8192");
    }

    @Test
    void refusesGarbage() throws Exception {
        assertThat(
                        complaintOfServer(
                                RUN,
                                peer -> peer.say("GET / HTTP/1.1\r\nHost: x".getBytes(US_ASCII))))
                .contains("does not speak perftest");
        assertThat(
                        complaintOfServer(
                                RUN,
                                peer -> {
                                    converse(peer, 4, true);
                                    peer.say(new byte[KeyMessageDescriptor.LENGTH]);
                                }))
                .contains("expected a key message");
    }

    @Test
    void refusesAVersionThatIsTooOld() throws Exception {
        byte[] old = Arrays.copyOf("5.69".getBytes(US_ASCII), 16);
        assertThat(complaintOfServer(RUN, peer -> peer.say(old))).contains("5.69", "5.70");
        assertThat(
                        complaintOfClient(
                                RUN,
                                peer -> {
                                    peer.hear(16);
                                    peer.say(old);
                                }))
                .contains("5.69", "5.70");
    }

    @Test
    void refusesKeysWithoutGid() throws Exception {
        byte[] key = Recording.of("ib59").sentBy(true).get(4);
        assertThat(
                        complaintOfServer(
                                RUN,
                                peer -> {
                                    converse(peer, 4, true);
                                    peer.say(key);
                                }))
                .contains("without a GID")
                .contains("-x");
    }

    @Test
    void refusesAGidOfAnotherKind() throws Exception {
        byte[] key = Recording.of("sbw").sentBy(true).get(4);
        assertThat(
                        complaintOfServer(
                                RUN,
                                peer -> {
                                    converse(peer, 4, true);
                                    peer.say(key);
                                }))
                .contains("different kinds")
                .contains("-x");
    }

    @Test
    void saysThatThePeerHasMoreQueuePairs() throws Exception {
        assertThat(
                        complaintOfServer(
                                RUN,
                                peer -> {
                                    converse(peer, 5, true);
                                    peer.say(key(0x12));
                                }))
                .contains("0x12")
                .contains("-q");
    }

    @Test
    void saysThatAClientEndedItsRunBeforeAllMessagesCame() throws Exception {
        assertThat(
                        complaintOfServer(
                                RUN.timeout(Duration.ofSeconds(20)),
                                peer -> {
                                    converse(peer, 8, true);
                                    peer.say(key(0x11));
                                }))
                .contains("0 of 100 messages")
                .contains("-n");
    }

    /// What version 6.28 sends unasked goes back to it unchanged, in either length.
    @ParameterizedTest
    @ValueSource(ints = {312, 320})
    void echoesTheOptionsOfVersion628(int length) throws Exception {
        byte[] options = new byte[length];
        Arrays.fill(options, (byte) 0x5a);
        PerftestEnd server = PerftestEnd.server(RUN);
        try (ScriptedPeer peer =
                ScriptedPeer.client(
                        server.address(),
                        script -> {
                            script.say(Arrays.copyOf("6.28".getBytes(US_ASCII), 16));
                            script.hear(16);
                            for (byte[] message : PREAMBLE.subList(1, 4)) {
                                script.say(message);
                                script.hear(message.length);
                            }
                            script.say(options);
                            script.hear(length);
                        })) {
            assertThat(peer.heard().getLast()).isEqualTo(options);
        }
        assertThat(server.failure()).isNotNull();
    }

    @Test
    void sendsItsOptionsToAServerOfVersion628() throws Exception {
        try (ServerSocket listener = ScriptedPeer.listener()) {
            PerftestEnd client =
                    PerftestEnd.client(
                            RUN,
                            new InetSocketAddress(
                                    listener.getInetAddress(), listener.getLocalPort()));
            try (ScriptedPeer peer =
                    ScriptedPeer.server(
                            listener,
                            script -> {
                                script.hear(16);
                                script.say(Arrays.copyOf("6.28".getBytes(US_ASCII), 16));
                                for (byte[] message : PREAMBLE.subList(1, 4)) {
                                    script.hear(message.length);
                                    script.say(message);
                                }
                                script.say(script.hear(320));
                                script.hear(KeyMessageDescriptor.LENGTH);
                            })) {
                assertThat(peer.heard()).hasSize(6);
            }
            assertThat(client.failure()).isNotNull();
        }
    }
}
