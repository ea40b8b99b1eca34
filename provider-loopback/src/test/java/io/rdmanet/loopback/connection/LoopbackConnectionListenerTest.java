package io.rdmanet.loopback.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.loopback.connection.ConnectionRecord.Refusal;
import io.rdmanet.loopback.connection.ConnectionRecord.Step;
import io.rdmanet.loopback.link.TemporaryRendezvous;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What strangers may do to a listener, by hand over its socket.
final class LoopbackConnectionListenerTest {
    private static final int BACKLOG = 2;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final List<SocketChannel> strangers = new ArrayList<>();
    private TemporaryRendezvous temporary;
    private FakeDevice server;
    private ConnectionListener listener;

    @BeforeEach
    void open() throws IOException {
        temporary = TemporaryRendezvous.create();
        server = new FakeDevice();
        listener = server.manager.listen(new InetSocketAddress(0), BACKLOG);
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel stranger : strangers) {
            stranger.close();
        }
        listener.close();
        server.close();
        temporary.close();
    }

    @Test
    void survivesGarbageEarlyClosesAndHalfRequests() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 100; i++) {
            SocketChannel stranger = stranger();
            byte[] garbage = new byte[random.nextInt(600)];
            random.nextBytes(garbage);
            if (i % 3 == 0) {
                ByteBuffer half = request();
                half.limit(half.limit() / 2);
                stranger.write(half);
            } else {
                stranger.write(ByteBuffer.wrap(garbage));
            }
            if (i % 2 == 0) {
                stranger.close();
            }
        }
        assertServes();
    }

    @Test
    void makesRoomForAGoodClientAmongSilentOnes() throws Exception {
        for (int i = 0; i < 3 * LoopbackConnectionListener.MAX_HALF_OPEN; i++) {
            stranger();
        }
        assertServes();
        assertThat(answer(strangers.getFirst()).refusal()).isEqualTo(Refusal.TOO_MANY_HALF_OPEN);
    }

    @Test
    void dropsASilentClientAfterTwoSeconds() throws Exception {
        SocketChannel silent = stranger();
        long start = System.nanoTime();
        assertThat(silent.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(System.nanoTime() - start).isLessThan(5 * SECOND);
        assertServes();
    }

    @Test
    void rejectsMoreThanTheBacklogAndForgetsWhoHasGone() throws Exception {
        for (int i = 0; i < BACKLOG; i++) {
            stranger().write(request());
        }
        SocketChannel tooMany = stranger();
        tooMany.write(request());
        assertThat(answer(tooMany).refusal()).isEqualTo(Refusal.BACKLOG_FULL);
        strangers.getFirst().close();
        Thread.sleep(100);
        SocketChannel next = stranger();
        next.write(request());
        Thread.sleep(100);
        try (ConnectionIdentifier first = Throwing.take(listener);
                ConnectionIdentifier second = Throwing.take(listener)) {
            assertThat(first).isNotNull();
            assertThat(second).isNotNull();
        }
        assertThat(listener.awaitRequest(0)).isNull();
        assertThat(answer(next).refusal()).isEqualTo(Refusal.CLOSED);
    }

    @Test
    void tellsAClientOfAnotherVersionItsOwn() throws Exception {
        SocketChannel newer = stranger();
        ByteBuffer record = request();
        record.putShort(ConnectionRecordDescriptor.VERSION_OFFSET, (short) 9);
        newer.write(record);
        assertThat(answer(newer).refusal()).isEqualTo(Refusal.OTHER_VERSION);
        assertServes();
    }

    @Test
    void acceptTimesOutIfTheClientNeverConfirms() throws Exception {
        stranger().write(request());
        try (ConnectionIdentifier passive = Throwing.take(listener)) {
            passive.createQueuePair(server.protectionDomain, FakeDevice.anyAttributes());
            Throwing.expect(
                    Reason.TIMED_OUT,
                    () -> passive.accept(Throwing.PARAMETERS, SECOND / 10),
                    "confirmed");
        }
    }

    @Test
    void acceptFailsIfTheClientBreaksTheProtocol() throws Exception {
        SocketChannel client = stranger();
        client.write(request());
        try (ConnectionIdentifier passive = Throwing.take(listener)) {
            passive.createQueuePair(server.protectionDomain, FakeDevice.anyAttributes());
            client.write(request());
            Throwing.expect(
                    Reason.PEER_GONE,
                    () -> passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT),
                    "has gone");
        }
    }

    private void assertServes() throws Exception {
        SocketChannel good = stranger();
        good.write(request());
        try (ConnectionIdentifier passive = Throwing.take(listener)) {
            assertThat(passive).isNotNull();
            passive.createQueuePair(server.protectionDomain, FakeDevice.anyAttributes());
            good.write(ready());
            passive.reject(new byte[0]);
        }
    }

    private SocketChannel stranger() throws IOException {
        SocketChannel channel =
                SocketChannel.open(
                        UnixDomainSocketAddress.of(
                                temporary
                                        .path()
                                        .resolve(
                                                "cm-"
                                                        + listener.localAddress().getPort()
                                                        + ".sock")));
        strangers.add(channel);
        return channel;
    }

    private ByteBuffer request() {
        return record(Step.REQUEST);
    }

    private ByteBuffer ready() {
        return record(Step.READY_TO_USE);
    }

    private ByteBuffer record(Step step) {
        InetSocketAddress destination = Throwing.loopback(listener.localAddress().getPort());
        return ConnectionRecordDescriptor.encode(
                ConnectionRecord.of(step, 1, Throwing.loopback(9), destination));
    }

    private static ConnectionRecord answer(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(ConnectionRecordDescriptor.LENGTH);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException();
            }
        }
        return ConnectionRecordDescriptor.decode(buffer);
    }
}
