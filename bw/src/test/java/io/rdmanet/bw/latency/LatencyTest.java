package io.rdmanet.bw.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ConnectionDescription;
import io.rdmanet.EndpointOptions;
import io.rdmanet.PollMode;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.RawConn;
import io.rdmanet.RawOptions;
import io.rdmanet.Rdmanet;
import io.rdmanet.bw.run.Mode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ping-pong in every tier on the loopback device, every byte checked on both ends.
class LatencyTest {
    private static final int PATIENCE_SECONDS = 60;
    private static final int ROUNDS = 300;
    private static final EndpointOptions ENDPOINT =
            EndpointOptions.defaults().withProvider("loopback").withTimeout(Duration.ofSeconds(20));

    /// A server on a thread of its own.
    private static final class Serving implements LatencyObserver {
        private final CompletableFuture<InetSocketAddress> address = new CompletableFuture<>();
        private final CompletableFuture<Long> bad = new CompletableFuture<>();

        Serving(boolean isRaw, PollMode pollMode) {
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            LatencyServer server =
                    new LatencyServer(any, ENDPOINT, isRaw, 64 << 10, pollMode, false, this);
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                        try {
                            bad.complete(server.serve());
                        } catch (IOException | RuntimeException e) {
                            bad.completeExceptionally(e);
                            address.completeExceptionally(e);
                        }
                    });
        }

        InetSocketAddress address() throws Exception {
            return address.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        long badMessages() throws Exception {
            return bad.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public void listening(InetSocketAddress where, String provider, String reason) {
            address.complete(where);
        }

        @Override
        public void connected(
                InetSocketAddress local,
                InetSocketAddress remote,
                ConnectionDescription connection) {}

        @Override
        public void failed(IOException failure) {}
    }

    private static LatencyResult measure(
            Serving serving, Mode mode, int size, int batch, PollMode pollMode) throws Exception {
        LatencyPlan plan =
                new LatencyPlan(
                        serving.address(),
                        ENDPOINT,
                        mode,
                        size,
                        batch,
                        ROUNDS,
                        10_000_000,
                        pollMode,
                        true);
        return new LatencyClient(plan, serving).measure();
    }

    @ParameterizedTest
    @CsvSource({
        "MSG, 1, 1, BUSY",
        "MSG, 64, 1, BUSY",
        "MSG, 200000, 1, BUSY",
        "MSG, 64, 1, EVENT",
        "MSG, 64, 1, ADAPTIVE",
        "BATCH, 64, 16, BUSY",
        "BATCH, 64, 16, EVENT",
        "ZERO_COPY, 1, 1, BUSY",
        "ZERO_COPY, 65536, 1, BUSY",
        "ZERO_COPY, 64, 1, EVENT",
        "RAW, 1, 1, BUSY",
        "RAW, 7, 1, BUSY",
        "RAW, 8, 1, BUSY",
        "RAW, 13, 1, BUSY",
        "RAW, 64, 1, BUSY",
        "RAW, 65536, 1, BUSY",
    })
    void measuresEveryTier(Mode mode, int size, int batch, PollMode pollMode) throws Exception {
        Serving serving = new Serving(mode == Mode.RAW, pollMode);

        LatencyResult result = measure(serving, mode, size, batch, pollMode);

        assertThat(result.badMessages()).isZero();
        assertThat(serving.badMessages()).isZero();
        assertThat(result.rounds().getTotalCount()).isEqualTo(ROUNDS);
        assertThat(result.micros(0)).isPositive();
        assertThat(result.micros(50)).isBetween(result.micros(0), result.micros(100));
    }

    /// What a client that checks learns of damage on the way to the server: its own messages.
    @ParameterizedTest
    @CsvSource({"MSG, 1", "BATCH, 4", "ZERO_COPY, 1"})
    void answersADamagedMessageWithAWrongOne(Mode mode, int batch) throws Exception {
        Serving serving = new Serving(false, PollMode.BUSY);
        LatencyRequest request = new LatencyRequest(mode, 64, batch, true);
        LatencyRequest damaging = new LatencyRequest(mode, 64, batch, false);
        try (Conn conn =
                        Rdmanet.dial(
                                serving.address(), ConnOptions.defaults().withEndpoint(ENDPOINT));
                ConnPinger right = new ConnPinger(conn, request);
                ConnPinger wrong = new ConnPinger(conn, damaging)) {
            conn.sendMsg(request.encode());
            right.send(0);
            assertThat(right.receive(0)).isTrue();
            assertThat(right.badMessages()).isZero();
            // It writes no payloads.
            wrong.send(1);
            assertThat(right.receive(1)).isTrue();
            assertThat(right.badMessages()).isEqualTo(batch);
            right.send(2);
            assertThat(right.receive(2)).isTrue();
            assertThat(right.badMessages()).isEqualTo(batch);
        }
        assertThat(serving.badMessages()).isEqualTo(batch);
    }

    @Test
    void answersADamagedWriteWithAWrongOne() throws Exception {
        Serving serving = new Serving(true, PollMode.BUSY);
        RawOptions options =
                RawOptions.defaults()
                        .withEndpoint(ENDPOINT)
                        .withTransmitDepth(RawPinger.BUFFERS)
                        .withMaxMessageBytes(64)
                        .withBufferCount(RawPinger.BUFFERS)
                        .withKeepsMessages(false);
        try (RawConn conn = Rdmanet.dialRaw(serving.address(), options);
                RawPinger pinger = new RawPinger(conn, true, true, ENDPOINT.timeout())) {
            conn.endRun(LatencyServer.rawTag(true));
            pinger.send(0);
            assertThat(pinger.receive(0)).isTrue();
            assertThat(pinger.badMessages()).isZero();
            pinger.sendWrong(1);
            assertThat(pinger.receive(1)).isTrue();
            assertThat(pinger.badMessages()).isOne();
            pinger.send(2);
            assertThat(pinger.receive(2)).isTrue();
            assertThat(pinger.badMessages()).isOne();
            pinger.sayFarewell();
        }
        assertThat(serving.badMessages()).isOne();
    }

    @Test
    void refusesAClientThatIsNoLatencyClient() throws Exception {
        Serving serving = new Serving(false, PollMode.BUSY);
        try (Conn conn =
                Rdmanet.dial(serving.address(), ConnOptions.defaults().withEndpoint(ENDPOINT))) {
            conn.sendMsg(new byte[] {1, 2, 3});
            assertThatThrownBy(serving::badMessages)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("not rdmanet-bw lat");
        }
    }

    @ParameterizedTest
    @CsvSource({"MSG, 64, 1, true", "BATCH, 1, 128, false", "ZERO_COPY, 65536, 1, true"})
    void requestTravelsWhole(Mode mode, int size, int batch, boolean verify) throws Exception {
        LatencyRequest request = new LatencyRequest(mode, size, batch, verify);
        assertThat(request.encode()).hasSize(LatencyRequest.LENGTH);
        assertThat(LatencyRequest.decode(request.encode())).isEqualTo(request);
    }

    @Test
    void refusesRequestsThatMakeNoSense() {
        byte[] none = new LatencyRequest(Mode.MSG, 0, 1, false).encode();
        byte[] raw = new LatencyRequest(Mode.RAW, 64, 1, false).encode();
        byte[] large = new LatencyRequest(Mode.MSG, 128 << 20, 1, false).encode();
        large[16]++;
        byte[] much = new LatencyRequest(Mode.BATCH, 1 << 20, 65, false).encode();
        for (byte[] request : new byte[][] {large, much}) {
            assertThatThrownBy(() -> LatencyRequest.decode(request))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("asks for what does not exist");
        }
        byte[] later = new LatencyRequest(Mode.MSG, 64, 1, false).encode();
        later[11] = 2;
        assertThatThrownBy(() -> LatencyRequest.decode(none))
                .isInstanceOf(ProtocolViolationException.class);
        assertThatThrownBy(() -> LatencyRequest.decode(raw))
                .isInstanceOf(ProtocolViolationException.class);
        assertThatThrownBy(() -> LatencyRequest.decode(later))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("version 2");
    }
}
