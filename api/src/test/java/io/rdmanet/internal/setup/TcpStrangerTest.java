package io.rdmanet.internal.setup;

import static io.rdmanet.internal.setup.TcpEnds.SECOND;
import static io.rdmanet.internal.setup.TcpEnds.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rdmanet.DeadlineException;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.setup.HandshakeRecord.Offer;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What happens when the other end of the TCP connection is of another version, broken, or somebody
/// else.
final class TcpStrangerTest {
    private final TcpEnds ends = new TcpEnds();

    @AfterEach
    void leavesNoDeviceOpen() {
        ends.assertNoDeviceOpen();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void refusesAnotherVersionOnBothEndsNamingBoth(int version) throws Exception {
        try (Acceptor acceptor = ends.listen(Role.RAW)) {
            CompletableFuture<Link> server = ends.serve(acceptor);
            byte[] record = offer();
            record[9] = (byte) version;
            try (Socket client = connect(acceptor)) {
                client.getOutputStream().write(record);
                byte[] answer = client.getInputStream().readAllBytes();
                assertThat(HandshakeRecordDescriptor.decode(answer))
                        .isEqualTo(
                                new HandshakeRecord.Refusal(
                                        3, Role.RAW.code(), HandshakeRecord.Reason.VERSION, ""));
            }
            assertThat(failureOf(server))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("this end speaks version 3")
                    .hasMessageContaining("version " + version);
        }
    }

    @Test
    void refusesARecordOutOfRangeWithTheReason() throws Exception {
        try (Acceptor acceptor = ends.listen(Role.RAW)) {
            CompletableFuture<Link> server = ends.serve(acceptor);
            byte[] record = offer();
            record[45] = 9;
            try (Socket client = connect(acceptor)) {
                client.getOutputStream().write(record);
                HandshakeRecord.Refusal refusal =
                        (HandshakeRecord.Refusal)
                                HandshakeRecordDescriptor.decode(
                                        client.getInputStream().readAllBytes());
                assertThat(refusal.reason()).isEqualTo(HandshakeRecord.Reason.PROTOCOL);
                assertThat(refusal.text()).contains("MTU code 9");
            }
            assertThat(failureOf(server)).hasMessageContaining("MTU code 9");
        }
    }

    @Test
    void saysNothingToAStranger() throws Exception {
        byte[] garbage = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] partial = java.util.Arrays.copyOf(offer(), 100);
        for (byte[] words : new byte[][] {garbage, partial, {}}) {
            try (Acceptor acceptor = ends.listen(Role.RAW)) {
                CompletableFuture<Link> server = ends.serve(acceptor);
                try (Socket stranger = connect(acceptor)) {
                    stranger.getOutputStream().write(words);
                    stranger.shutdownOutput();
                    assertThat(readAll(stranger)).isEmpty();
                }
                assertThat(failureOf(server)).isInstanceOf(IOException.class);
            }
        }
    }

    /// A reset, over bytes that were not read, says nothing either.
    private static byte[] readAll(Socket socket) {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (IOException reset) {
            return new byte[0];
        }
    }

    private static byte[] offer() {
        return HandshakeRecordDescriptor.encode(
                new Offer(
                        Role.RAW,
                        99,
                        new QueuePairEnd(
                                1,
                                1,
                                new GlobalIdentifier(0, 0xffff_0a00_0001L),
                                1,
                                GidType.ROCE_V2,
                                0,
                                1,
                                PathMtu.MTU_4096,
                                LinkLayer.ETHERNET,
                                1)));
    }

    private static Socket connect(Acceptor acceptor) throws IOException {
        return new Socket(acceptor.localAddress().getAddress(), acceptor.localAddress().getPort());
    }

    @Test
    void tellsTheDialerOfALaterVersionsRefusal() throws Exception {
        byte[] refusal =
                HandshakeRecordDescriptor.encode(
                        new HandshakeRecord.Refusal(9, 1, HandshakeRecord.Reason.VERSION, "use 9"));
        try (ServerSocket server = answering(refusal)) {
            assertThat(dialFailure(server, 5 * SECOND))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("version 3")
                    .hasMessageContaining("version 9");
        }
    }

    @Test
    void tellsTheDialerThatTheListenerIsSomethingElse() throws Exception {
        try (ServerSocket server =
                answering("HTTP/1.1 400 Bad Request\r\n".getBytes(StandardCharsets.US_ASCII))) {
            assertThat(dialFailure(server, 5 * SECOND))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("does not speak rdmanet's handshake")
                    .hasMessageContaining("HTTP/1.1");
        }
    }

    @Test
    void tellsTheDialerThatTheListenerHungUp() throws Exception {
        try (ServerSocket server = answering(new byte[0])) {
            assertThat(dialFailure(server, 5 * SECOND))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("closed the connection after 0 of 256 bytes");
        }
    }

    @Test
    void tellsTheDialerThatTheListenerIsSilent() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(dialFailure(server, SECOND / 5))
                    .isInstanceOf(DeadlineException.class)
                    .hasMessageContaining("did not send its handshake record within ");
        }
    }

    /// A listener that answers with bytes, whatever it is told.
    private static ServerSocket answering(byte[] answer) throws IOException {
        ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread.ofVirtual()
                .start(() -> {
                    try (Socket socket = server.accept()) {
                        socket.getOutputStream().write(answer);
                        socket.shutdownOutput();
                        socket.getInputStream().readAllBytes();
                    } catch (IOException closed) {
                        // The test is over.
                    }
                });
        return server;
    }

    private Throwable dialFailure(ServerSocket server, long timeoutNanos) throws IOException {
        Rendezvous client =
                ends.dial((InetSocketAddress) server.getLocalSocketAddress(), Role.RAW, 99);
        try (client) {
            client.createQueuePair(Fakes.domain(ends.clientPair), Fakes.initialAttributes());
            return catchThrowable(() -> client.establish(7, Deadline.after(timeoutNanos)));
        }
    }
}
