package io.rdmanet.bw.perftest.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.PathMtu;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// This end takes the place of one of two C tools that were recorded: it must send what that sent,
/// byte for byte.
class RecordedExchangeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /// Nothing else that is sent depends on more than the keys.
    private static final BandwidthReport ANY = new BandwidthReport(1, 2, 3, 4, 5);

    private static final Negotiation OPTIONS =
            new Negotiation(false, 0, false, 0, 65536, 1000, 1, 16);

    /// The order of things: k keys, b barrier, B barrier of each queue pair, r reports, a two
    /// barriers for each of 23 sizes.
    @ParameterizedTest
    @CsvSource({
        "sbw,    kbBbb",
        "sbwq,   kbBbb",
        "sbwD,   kbBbb",
        "sbwb,   kbBbrb",
        "wbw,    kBbbrb",
        "wa,     kBbbrb",
        "rbw,    kBbbrb",
        "slat,   kbBbb",
        "sbwall, kbBab",
        "h1,     kbBbb",
        // Recorded without its end.
        "h2,     kbBb",
    })
    void saysWhatTheToolSaid(String name, String order) throws Exception {
        Recording recording = Recording.of(name);
        assertThat(asClient(recording, order)).isEqualTo(comparable(recording, true));
        assertThat(asServer(recording, order)).isEqualTo(comparable(recording, false));
    }

    private static List<String> asClient(Recording recording, String order) throws Exception {
        try (ServerSocket listener = ScriptedPeer.listener();
                PeerSocket socket =
                        PeerSocket.connect(
                                new InetSocketAddress(
                                        listener.getInetAddress(), listener.getLocalPort()),
                                TIMEOUT);
                ScriptedPeer peer =
                        ScriptedPeer.server(listener, ScriptedPeer.playing(recording, false))) {
            run(new Exchange(socket, true, TIMEOUT), recording, order);
            return comparable(peer.heard());
        }
    }

    private static List<String> asServer(Recording recording, String order) throws Exception {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer peer =
                            ScriptedPeer.client(
                                    (InetSocketAddress) listener.getLocalAddress(),
                                    ScriptedPeer.playing(recording, true));
                    PeerSocket socket = new PeerSocket(listener.accept())) {
                run(new Exchange(socket, false, TIMEOUT), recording, order);
                return comparable(peer.heard());
            }
        }
    }

    private static void run(Exchange exchange, Recording recording, String order)
            throws IOException {
        Exchange.Preamble preamble = exchange.preamble(PathMtu.MTU_1024, OPTIONS);
        assertThat(preamble.mtu()).isEqualTo(PathMtu.MTU_1024);
        assertThat(preamble.cycleBufferBytes()).isEqualTo(4096);
        for (int i = 0; i < order.length(); i++) {
            switch (order.charAt(i)) {
                case 'k' ->
                        assertThat(exchange.keys(recording.keys(exchange.isClient())))
                                .isEqualTo(recording.keys(!exchange.isClient()));
                case 'b' -> exchange.barrier("a barrier");
                case 'a' -> {
                    for (int barrier = 0; barrier < 2 * 23; barrier++) {
                        exchange.barrier("start or end of a size");
                    }
                }
                case 'B' -> exchange.barriers("barriers");
                default -> exchange.reports(ANY, TIMEOUT);
            }
        }
    }

    private static List<String> comparable(Recording recording, boolean client) {
        return comparable(recording.sentBy(client));
    }

    /// Versions differ where the recorded one is newer, reports in their figures.
    private static List<String> comparable(List<byte[]> messages) {
        List<String> texts = new ArrayList<>();
        for (byte[] message : messages) {
            boolean isOfThisRun =
                    message.length == ReportDescriptor.LENGTH
                            || message.length == PreambleDescriptor.VERSION_LENGTH;
            texts.add(isOfThisRun ? message.length + " bytes" : Arrays.toString(message));
        }
        return texts;
    }
}
