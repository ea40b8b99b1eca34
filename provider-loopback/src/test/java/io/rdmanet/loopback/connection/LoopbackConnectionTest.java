package io.rdmanet.loopback.connection;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.loopback.connection.FakeDevice.FakeQueuePair;
import io.rdmanet.loopback.link.ChildJvm;
import io.rdmanet.loopback.link.TemporaryRendezvous;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LoopbackConnectionTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<ConnectionIdentifier> dialled = new ArrayList<>();
    private TemporaryRendezvous temporary;
    private FakeDevice server;
    private FakeDevice client;
    private ConnectionListener listener;

    @BeforeEach
    void open() throws IOException {
        temporary = TemporaryRendezvous.create();
        server = new FakeDevice();
        client = new FakeDevice();
        listener = server.manager.listen(new InetSocketAddress(0), 8);
    }

    @AfterEach
    void close() {
        dialled.forEach(ConnectionIdentifier::close);
        listener.close();
        server.close();
        client.close();
        threads.shutdownNow();
        temporary.close();
    }

    @Test
    void connectsTwoQueuePairsToOneAnother() throws Exception {
        ConnectionIdentifier active = dial();
        assertThat(FakeDevice.of(queuePairOf(active)).state).isEqualTo(QueuePairState.INIT);
        ConnectionParameters asked = new ConnectionParameters(new byte[] {1, 2, 3}, 5, 6, 2, 3);
        Future<?> connecting = connect(active, asked);
        try (ConnectionIdentifier passive = Throwing.take(listener)) {
            assertThat(passive.privateData()).containsExactly(1, 2, 3);
            var passivePair = passive.createQueuePair(server.protectionDomain, attributes());
            passive.accept(new ConnectionParameters(new byte[196], 4, 9, 1, 0), Throwing.TIMEOUT);
            connecting.get();
            assertThat(active.privateData()).hasSize(196);
            assertConnected(FakeDevice.of(queuePairOf(active)), FakeDevice.of(passivePair), 4, 5);
            assertThat(last(FakeDevice.of(passivePair)).number(Attribute.MAX_READ_ATOMIC))
                    .isEqualTo(5);
            assertThat(last(FakeDevice.of(passivePair)).number(Attribute.RETRY_COUNT)).isEqualTo(1);
            assertThat(active.pollEvent()).isNull();
            assertThat(passive.pollEvent()).isNull();
        }
    }

    private void assertConnected(
            FakeQueuePair active, FakeQueuePair passive, int reads, int destinationReads) {
        assertThat(active.state).isEqualTo(QueuePairState.READY_TO_SEND);
        assertThat(passive.state).isEqualTo(QueuePairState.READY_TO_SEND);
        QueuePairAttributes init = active.modifications.get(0);
        assertThat(init.number(Attribute.ACCESS_FLAGS))
                .isEqualTo(AccessFlag.mask(EnumSet.allOf(AccessFlag.class)));
        QueuePairAttributes receive = active.modifications.get(1);
        assertThat(receive.number(Attribute.DESTINATION_QUEUE_PAIR_NUMBER))
                .isEqualTo(passive.number);
        assertThat(receive.number(Attribute.RECEIVE_PACKET_SEQUENCE_NUMBER))
                .isEqualTo(last(passive).number(Attribute.SEND_PACKET_SEQUENCE_NUMBER));
        assertThat(receive.number(Attribute.MAX_DESTINATION_READ_ATOMIC))
                .isEqualTo(destinationReads);
        assertThat(receive.addressVector().destinationGid()).isEqualTo(server.hub.instance().gid());
        assertThat(passive.modifications.get(1).addressVector().destinationGid())
                .isEqualTo(client.hub.instance().gid());
        assertThat(last(active).number(Attribute.RETRY_COUNT)).isEqualTo(2);
        assertThat(last(active).number(Attribute.RNR_RETRY_COUNT)).isEqualTo(3);
        assertThat(last(active).number(Attribute.MAX_READ_ATOMIC)).isEqualTo(reads);
    }

    @Test
    void reportsTheSameAddressesOnBothSides() throws Exception {
        InetSocketAddress source = Throwing.address("127.0.0.3", 777);
        ConnectionIdentifier active =
                track(
                        client.manager.resolve(
                                Throwing.address("0.0.0.0", port()), source, Throwing.TIMEOUT));
        assertThat(active.localAddress()).isEqualTo(source);
        assertThat(active.remoteAddress()).isEqualTo(Throwing.loopback(port()));
        ConnectionIdentifier other = dial();
        assertThat(other.localAddress().getAddress().isLoopbackAddress()).isTrue();
        assertThat(other.localAddress().getPort()).isBetween(49_152, 65_535);
        try (ConnectionIdentifier passive = establish(other)) {
            assertThat(passive.localAddress()).isEqualTo(other.remoteAddress());
            assertThat(passive.remoteAddress()).isEqualTo(other.localAddress());
        }
    }

    @Test
    void connectsWithinOneDevice() throws Exception {
        ConnectionIdentifier active =
                track(server.manager.resolve(Throwing.loopback(port()), null, 0));
        active.createQueuePair(server.protectionDomain, attributes());
        Future<?> connecting = connect(active, Throwing.PARAMETERS);
        accept().close();
        connecting.get();
    }

    @Test
    void aServerThatClosesAtOnceHasBeenConnected() throws Exception {
        for (int i = 0; i < 20; i++) {
            ConnectionIdentifier active = dial();
            Future<?> connecting = connect(active, Throwing.PARAMETERS);
            accept().close();
            connecting.get();
            assertThat(active.awaitEvent(Throwing.TIMEOUT)).isEqualTo(ConnectionEvent.DISCONNECTED);
        }
    }

    @Test
    void saysThatNobodyListens() throws VerbsException {
        int port = port();
        listener.close();
        ConnectionIdentifier active = dialTo(Throwing.loopback(port));
        Throwing.expect(
                Reason.REJECTED,
                () -> active.connect(Throwing.PARAMETERS, Throwing.TIMEOUT),
                "nobody listens on 127.0.0.1:" + port);
        assertThatThrownBy(() -> active.connect(Throwing.PARAMETERS, Throwing.TIMEOUT))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void saysThatTheListenerHasAnotherAddress() throws VerbsException {
        try (ConnectionListener bound =
                server.manager.listen(Throwing.address("127.0.0.1", 0), 1)) {
            int port = bound.localAddress().getPort();
            ConnectionIdentifier active = dialTo(Throwing.address("127.0.0.2", port));
            Throwing.expect(
                    Reason.REJECTED,
                    () -> active.connect(Throwing.PARAMETERS, Throwing.TIMEOUT),
                    "bound to 127.0.0.1:" + port,
                    "not to 127.0.0.2:" + port);
        }
    }

    @Test
    void carriesARejectionWithItsData() throws Exception {
        ConnectionIdentifier active = dial();
        Future<?> connecting = connect(active, Throwing.PARAMETERS);
        try (ConnectionIdentifier passive = Throwing.take(listener)) {
            assertThatThrownBy(() -> passive.reject(new byte[149]))
                    .isInstanceOf(IllegalArgumentException.class);
            passive.reject(new byte[148]);
        }
        ConnectionException failure = failureOf(connecting);
        assertThat(failure.reason()).isEqualTo(Reason.REJECTED);
        assertThat(failure.privateData()).hasSize(148);
    }

    @Test
    void rejectsWhatIsClosedUnanswered() throws Exception {
        Future<?> first = connect(dial(), Throwing.PARAMETERS);
        Throwing.take(listener).close();
        assertThat(failureOf(first).reason()).isEqualTo(Reason.REJECTED);
        Future<?> second = connect(dial(), Throwing.PARAMETERS);
        awaitWaiting();
        listener.close();
        assertThat(failureOf(second).reason()).isEqualTo(Reason.REJECTED);
        assertThatThrownBy(() -> listener.awaitRequest(0)).isInstanceOf(VerbsException.class);
    }

    @Test
    void connectTimesOutAndTheLateAcceptFindsTheClientGone() throws Exception {
        ConnectionIdentifier active = dial();
        Future<?> connecting = connect(active, Throwing.PARAMETERS, SECOND / 10);
        try (ConnectionIdentifier passive = Throwing.take(listener)) {
            assertThat(failureOf(connecting).reason()).isEqualTo(Reason.TIMED_OUT);
            passive.createQueuePair(server.protectionDomain, attributes());
            Throwing.expect(
                    Reason.PEER_GONE,
                    () -> passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT),
                    "has gone");
        }
    }

    @Test
    void saysUnreachableWhenTheListenersProcessTakesNothing() throws Exception {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux"), "others refuse at a full backlog");
        Path socket = temporary.path().resolve("cm-5.sock");
        try (ServerSocketChannel stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stopped.bind(UnixDomainSocketAddress.of(socket), 1);
            List<SocketChannel> fillers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                fillers.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
            }
            ConnectionIdentifier active = dialTo(Throwing.loopback(5));
            Throwing.expect(
                    Reason.UNREACHABLE,
                    () -> active.connect(Throwing.PARAMETERS, SECOND / 5),
                    "127.0.0.1:5");
            for (SocketChannel filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void reportsADeviceThatRefusesAndTellsThePeer() throws Exception {
        server.refusal = new VerbsException("modify_qp", ErrorNumber.EHOSTUNREACH, "no such peer");
        Future<?> connecting = connect(dial(), Throwing.PARAMETERS);
        try (ConnectionIdentifier passive = Throwing.take(listener)) {
            passive.createQueuePair(server.protectionDomain, attributes());
            Throwing.expect(
                    Reason.PEER_GONE,
                    () -> passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT),
                    "no such peer");
            assertThat(failureOf(connecting).reason()).isEqualTo(Reason.REJECTED);
        }
        client.refusal = new VerbsException("modify_qp", "no memory");
        server.refusal = null;
        Future<?> second = connect(dial(), Throwing.PARAMETERS);
        try (ConnectionIdentifier passive = Throwing.take(listener)) {
            passive.createQueuePair(server.protectionDomain, attributes());
            Throwing.expect(
                    Reason.PEER_GONE,
                    () -> passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT),
                    "gave the connection up");
            assertThat(failureOf(second).reason()).isEqualTo(Reason.CONNECT_ERROR);
        }
    }

    @Test
    void disconnectPutsTheOwnQueuePairIntoErrorAndTellsBothSides() throws Exception {
        ConnectionIdentifier active = dial();
        try (ConnectionIdentifier passive = establish(active)) {
            Future<ConnectionEvent> waiting =
                    threads.submit(() -> passive.awaitEvent(Throwing.TIMEOUT));
            active.disconnect();
            active.disconnect();
            assertThat(FakeDevice.of(queuePairOf(active)).state).isEqualTo(QueuePairState.ERROR);
            assertThat(active.pollEvent()).isEqualTo(ConnectionEvent.DISCONNECTED);
            assertThat(active.pollEvent()).isNull();
            assertThat(waiting.get()).isEqualTo(ConnectionEvent.DISCONNECTED);
            assertThat(passive.pollEvent()).isNull();
            FakeQueuePair passivePair = FakeDevice.of(queuePairOf(passive));
            assertThat(passivePair.state).isEqualTo(QueuePairState.READY_TO_SEND);
            passive.disconnect();
            assertThat(passivePair.state).isEqualTo(QueuePairState.ERROR);
        }
    }

    @Test
    void closeEndsTheConnectionAndClosesTheQueuePairFirst() throws Exception {
        ConnectionIdentifier active = dial();
        try (ConnectionIdentifier passive = establish(active)) {
            active.close();
            active.close();
            assertThat(FakeDevice.of(queuePairOf(active)).closes).hasValue(1);
            assertThat(passive.awaitEvent(Throwing.TIMEOUT))
                    .isEqualTo(ConnectionEvent.DISCONNECTED);
            assertThatThrownBy(() -> active.awaitEvent(0)).isInstanceOf(VerbsException.class);
        }
    }

    @Test
    void doesNothingOnDisconnectUnlessConnected() throws VerbsException {
        ConnectionIdentifier active = dial();
        active.disconnect();
        assertThat(FakeDevice.of(queuePairOf(active)).state).isEqualTo(QueuePairState.INIT);
        assertThat(active.pollEvent()).isNull();
    }

    @Test
    void noticesThatThePeerWasKilled() throws Exception {
        try (ChildJvm child =
                ChildJvm.start(DiallingChild.class, "dial", Integer.toString(port()))) {
            try (ConnectionIdentifier passive = Throwing.take(listener)) {
                passive.createQueuePair(server.protectionDomain, attributes());
                passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT);
                assertThat(child.readLine()).isEqualTo("connected");
                child.kill();
                assertThat(passive.awaitEvent(Throwing.TIMEOUT))
                        .isEqualTo(ConnectionEvent.DISCONNECTED);
            }
        }
    }

    @Test
    void saysThatTheListenersProcessWasKilledBeforeItAnswered() throws Exception {
        try (ChildJvm child = ChildJvm.start(DiallingChild.class, "listen")) {
            int port = Integer.parseInt(child.readLine());
            Future<?> connecting =
                    connect(dialTo(Throwing.loopback(port)), Throwing.PARAMETERS, Throwing.TIMEOUT);
            Thread.sleep(200);
            child.kill();
            assertThat(failureOf(connecting).reason()).isEqualTo(Reason.PEER_GONE);
        }
    }

    @Test
    void refusesStepsOutOfOrder() throws Exception {
        ConnectionIdentifier bare =
                track(client.manager.resolve(Throwing.loopback(port()), null, 0));
        assertThatThrownBy(() -> bare.connect(Throwing.PARAMETERS, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("create it first");
        assertThatThrownBy(() -> bare.accept(Throwing.PARAMETERS, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> bare.createQueuePair(server.protectionDomain, attributes()))
                .isInstanceOf(IllegalArgumentException.class);
        bare.createQueuePair(client.protectionDomain, attributes());
        assertThatThrownBy(() -> bare.createQueuePair(client.protectionDomain, attributes()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> bare.connect(Throwing.PARAMETERS.withPrivateData(new byte[57]), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bare.reject(new byte[0]))
                .isInstanceOf(IllegalStateException.class);
        establish(bare).close();
    }

    @Test
    void closeWakesEveryThreadThatWaits() throws Exception {
        Future<?> inAwaitRequest = threads.submit(() -> Throwing.take(listener));
        ConnectionIdentifier connecting = dial();
        try (ConnectionListener silent = server.manager.listen(Throwing.loopback(0), 1)) {
            ConnectionIdentifier unanswered = dialTo(silent.localAddress());
            Future<?> inConnect = connect(unanswered, Throwing.PARAMETERS);
            Future<?> inAwaitEvent = threads.submit(() -> connecting.awaitEvent(Throwing.TIMEOUT));
            Thread.sleep(100);
            unanswered.close();
            connecting.close();
            listener.close();
            for (Future<?> waiting : List.of(inAwaitRequest, inConnect, inAwaitEvent)) {
                assertThatThrownBy(() -> waiting.get(2, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(VerbsException.class)
                        .hasMessageContaining("closed");
            }
        }
    }

    @Test
    void interruptEndsEveryWait() throws Exception {
        ConnectionIdentifier active = dial();
        List<Callable<?>> waits =
                List.of(
                        () -> listener.awaitRequest(Throwing.TIMEOUT),
                        () -> active.awaitEvent(Throwing.TIMEOUT));
        for (Callable<?> wait : waits) {
            Future<?> waiting =
                    threads.submit(() -> {
                        Thread.currentThread().interrupt();
                        assertThatThrownBy(wait::call)
                                .isInstanceOf(VerbsException.class)
                                .hasMessageContaining("EINTR");
                        assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    });
            waiting.get(2, TimeUnit.SECONDS);
        }
        assertThat(listener.awaitRequest(0)).isNull();
    }

    @Test
    void servesManyClientsAtOnceOnVirtualThreads() throws Exception {
        int count = 50;
        try (ConnectionListener busy = server.manager.listen(new InetSocketAddress(0), count)) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                clients.add(
                        connect(
                                dialTo(Throwing.loopback(busy.localAddress().getPort())),
                                Throwing.PARAMETERS));
            }
            List<ConnectionIdentifier> accepted = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ConnectionIdentifier passive = Throwing.take(busy);
                passive.createQueuePair(server.protectionDomain, attributes());
                passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT);
                accepted.add(passive);
            }
            for (Future<?> each : clients) {
                each.get();
            }
            accepted.forEach(ConnectionIdentifier::close);
        }
    }

    private int port() {
        return listener.localAddress().getPort();
    }

    private ConnectionIdentifier dial() throws VerbsException {
        return dialTo(Throwing.loopback(port()));
    }

    private ConnectionIdentifier dialTo(InetSocketAddress address) throws VerbsException {
        ConnectionIdentifier active = track(client.manager.resolve(address, null, SECOND));
        active.createQueuePair(client.protectionDomain, attributes());
        return active;
    }

    private ConnectionIdentifier track(ConnectionIdentifier identifier) {
        dialled.add(identifier);
        return identifier;
    }

    private Future<?> connect(ConnectionIdentifier active, ConnectionParameters parameters) {
        return connect(active, parameters, Throwing.TIMEOUT);
    }

    private Future<?> connect(
            ConnectionIdentifier active, ConnectionParameters parameters, long timeoutNanos) {
        return threads.submit(() -> {
            active.connect(parameters, timeoutNanos);
            return null;
        });
    }

    private ConnectionIdentifier establish(ConnectionIdentifier active) throws Exception {
        Future<?> connecting = connect(active, Throwing.PARAMETERS);
        ConnectionIdentifier passive = accept();
        connecting.get();
        return passive;
    }

    private ConnectionIdentifier accept() throws VerbsException {
        ConnectionIdentifier passive = Throwing.take(listener);
        passive.createQueuePair(server.protectionDomain, attributes());
        passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT);
        return passive;
    }

    /// Gives a request the time to arrive without taking it.
    private static void awaitWaiting() throws InterruptedException {
        Thread.sleep(200);
    }

    private static io.rdmanet.verbs.QueuePair queuePairOf(ConnectionIdentifier identifier) {
        return requireNonNull(((LoopbackConnectionIdentifier) identifier).queuePair());
    }

    private static QueuePairAttributes last(FakeQueuePair queuePair) {
        return queuePair.modifications.getLast();
    }

    private static io.rdmanet.verbs.QueuePairInitialAttributes attributes() {
        return FakeDevice.anyAttributes();
    }

    private static ConnectionException failureOf(Future<?> connecting) throws Exception {
        try {
            connecting.get(15, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return (ConnectionException) requireNonNull(e.getCause());
        }
        throw new AssertionError("it connected");
    }
}
