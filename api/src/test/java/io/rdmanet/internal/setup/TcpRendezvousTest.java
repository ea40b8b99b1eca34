package io.rdmanet.internal.setup;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.DeadlineException;
import io.rdmanet.EndpointOptions;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.setup.Acceptor.Inbound;
import io.rdmanet.internal.setup.Fakes.FakeProvider;
import io.rdmanet.internal.setup.Fakes.FakeQueuePair;
import io.rdmanet.internal.setup.HandshakeRecord.Offer;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The exchange over real sockets, with queue pairs that only remember.
final class TcpRendezvousTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final FakeProvider serverProvider = new FakeProvider();
    private final FakeProvider clientProvider = new FakeProvider();
    private final FakeQueuePair serverPair = new FakeQueuePair(0x111111);
    private final FakeQueuePair clientPair = new FakeQueuePair(0x222222);
    private EndpointOptions options =
            EndpointOptions.defaults()
                    .withSetup(ConnectionSetup.TCP)
                    .withTimeout(Duration.ofSeconds(5));

    @AfterEach
    void leavesNoDeviceOpen() {
        assertThat(serverProvider.openContexts).hasValue(0);
        assertThat(clientProvider.openContexts).hasValue(0);
    }

    private Acceptor listen(Role role) throws IOException {
        return TcpAcceptor.listen(serverProvider.selection(), ANY_PORT, options, role);
    }

    private Rendezvous dial(InetSocketAddress address, Role role, int depth) throws IOException {
        return Dialling.dial(
                List.of(clientProvider),
                new DialRequest(address, options, role, depth, Deadline.after(5 * SECOND)));
    }

    private static Link establish(Rendezvous rendezvous, FakeQueuePair pair) throws IOException {
        try {
            rendezvous.createQueuePair(Fakes.domain(pair), Fakes.initialAttributes());
            return rendezvous.establish(5, Deadline.after(5 * SECOND));
        } catch (IOException failure) {
            rendezvous.close();
            throw failure;
        }
    }

    /// What an accepting end does, on another thread.
    private CompletableFuture<Link> serve(Acceptor acceptor) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                Inbound inbound = requireNonNull(acceptor.awaitInbound());
                try {
                    Rendezvous rendezvous = inbound.rendezvous(Deadline.after(5 * SECOND));
                    assertThat(rendezvous.announcedReceiveDepth()).isEqualTo(99);
                    return establish(rendezvous, serverPair);
                } catch (IOException failure) {
                    inbound.close();
                    throw failure;
                }
            } catch (IOException failure) {
                throw new java.io.UncheckedIOException(failure);
            }
        });
    }

    private static Throwable failureOf(CompletableFuture<Link> server) throws Exception {
        Throwable failure = catchThrowable(() -> server.get(10, TimeUnit.SECONDS));
        assertThat(failure).isInstanceOf(ExecutionException.class);
        Throwable unchecked = requireNonNull(failure.getCause());
        return requireNonNull(unchecked.getCause());
    }

    @Test
    void connectsTwoQueuePairsWithEachOthersNumbers() throws Exception {
        serverProvider.mtu = PathMtu.MTU_1024;
        try (Acceptor acceptor = listen(Role.RAW)) {
            CompletableFuture<Link> server = serve(acceptor);
            try (Link clientLink =
                            establish(dial(acceptor.localAddress(), Role.RAW, 99), clientPair);
                    Link serverLink = server.get(5, TimeUnit.SECONDS)) {
                QueuePairAttributes atServer = serverPair.all();
                QueuePairAttributes atClient = clientPair.all();
                assertThat(atServer.state()).isEqualTo(QueuePairState.READY_TO_SEND);
                assertThat(atClient.state()).isEqualTo(QueuePairState.READY_TO_SEND);
                assertThat(atServer.number(Attribute.DESTINATION_QUEUE_PAIR_NUMBER))
                        .isEqualTo(0x222222);
                assertThat(atClient.number(Attribute.DESTINATION_QUEUE_PAIR_NUMBER))
                        .isEqualTo(0x111111);
                assertThat(atServer.number(Attribute.RECEIVE_PACKET_SEQUENCE_NUMBER))
                        .isEqualTo(atClient.number(Attribute.SEND_PACKET_SEQUENCE_NUMBER))
                        .isBetween(0, 0xffffff);
                assertThat(atClient.number(Attribute.RECEIVE_PACKET_SEQUENCE_NUMBER))
                        .isEqualTo(atServer.number(Attribute.SEND_PACKET_SEQUENCE_NUMBER));
                assertThat(atClient.pathMtu()).isEqualTo(PathMtu.MTU_1024);
                assertThat(atServer.pathMtu()).isEqualTo(PathMtu.MTU_1024);
                assertThat(atClient.number(Attribute.RETRY_COUNT)).isEqualTo(6);
                assertThat(atClient.number(Attribute.RNR_RETRY_COUNT)).isEqualTo(5);
                assertThat(atClient.number(Attribute.MAX_READ_ATOMIC)).isEqualTo(16);
                assertThat(atClient.addressVector().hopLimit()).isEqualTo(64);
                assertThat(atClient.addressVector().sourceGidIndex()).isEqualTo(1);
                assertThat(atClient.addressVector().destinationLocalIdentifier()).isEqualTo(7);

                ConnectionDescription facts = clientLink.description();
                assertThat(facts.localQueuePair()).isEqualTo(0x222222);
                assertThat(facts.remoteQueuePair()).isEqualTo(0x111111);
                assertThat(facts.pathMtu()).isEqualTo(PathMtu.MTU_1024);
                assertThat(facts.setup()).isEqualTo(ConnectionSetup.TCP);
                assertThat(facts.localPacketSequence())
                        .isEqualTo(serverLink.description().remotePacketSequence());
                assertThat(clientLink.remoteAddress()).isEqualTo(serverLink.localAddress());
                assertThat(clientLink.localAddress()).isEqualTo(serverLink.remoteAddress());
            }
        }
    }

    @Test
    void seesThePeerGoWhicheverEndDisconnects() throws Exception {
        for (boolean isServerFirst : new boolean[] {false, true}) {
            try (Acceptor acceptor = listen(Role.RAW)) {
                CompletableFuture<Link> server = serve(acceptor);
                Link client = establish(dial(acceptor.localAddress(), Role.RAW, 99), clientPair);
                Link accepted = server.get(5, TimeUnit.SECONDS);
                assertThat(client.isPeerGone()).isFalse();
                assertThat(accepted.isPeerGone()).isFalse();
                Link first = isServerFirst ? accepted : client;
                Link second = isServerFirst ? client : accepted;
                first.disconnect();
                first.disconnect();
                awaitGone(second);
                first.close();
                first.close();
                second.close();
            }
        }
        assertThat(clientPair.all().state()).isEqualTo(QueuePairState.ERROR);
    }

    private static void awaitGone(Link link) throws InterruptedException {
        long end = System.nanoTime() + SECOND;
        while (!link.isPeerGone() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertThat(link.isPeerGone()).isTrue();
    }

    @Test
    void endsWithTheDeviceAndSaysSo() throws Exception {
        try (Acceptor acceptor = listen(Role.RAW)) {
            CompletableFuture<Link> server = serve(acceptor);
            try (Link client = establish(dial(acceptor.localAddress(), Role.RAW, 99), clientPair);
                    Link accepted = server.get(5, TimeUnit.SECONDS)) {
                serverProvider.asyncEvents.add(new AsyncEvent(AsyncEvent.Type.PORT_ERROR, 1));
                assertThat(accepted.isPeerGone()).isFalse();
                serverProvider.asyncEvents.add(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0));
                assertThat(accepted.isPeerGone()).isTrue();
                assertThat(accepted.howGone()).contains("removed: fake0");
                assertThat(client.isPeerGone()).isFalse();
            }
        }
    }

    @Test
    void namesTheRouteOfWhatIsNotAnswered() throws Exception {
        try (Acceptor acceptor = listen(Role.RAW)) {
            CompletableFuture<Link> server = serve(acceptor);
            try (Link client = establish(dial(acceptor.localAddress(), Role.RAW, 99), clientPair);
                    Link accepted = server.get(5, TimeUnit.SECONDS)) {
                clientProvider.portState = PortState.DOWN;
                assertThat(client.route())
                        .contains("GID index 1: ")
                        .contains("(ROCE_V2, eth0) on port 1 of fake0 (now DOWN)")
                        .contains("to GID " + accepted.description().localGid());
            }
        }
    }

    @Test
    void connectionsOutliveTheirListener() throws Exception {
        Acceptor acceptor = listen(Role.RAW);
        CompletableFuture<Link> server = serve(acceptor);
        Link client = establish(dial(acceptor.localAddress(), Role.RAW, 99), clientPair);
        Link accepted = server.get(5, TimeUnit.SECONDS);
        acceptor.close();
        assertThat(serverProvider.openContexts).hasValue(1);
        assertThat(client.isPeerGone()).isFalse();
        accepted.close();
        assertThat(serverProvider.openContexts).hasValue(0);
        client.close();
    }

    @Test
    void refusesAnotherRoleOnBothEndsNamingBoth() throws Exception {
        try (Acceptor acceptor = listen(Role.MESSAGE)) {
            CompletableFuture<Link> server = serve(acceptor);
            Rendezvous client = dial(acceptor.localAddress(), Role.RAW, 99);
            assertThatThrownBy(() -> establish(client, clientPair))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("this end is for raw connections")
                    .hasMessageContaining("for message connections");
            assertThat(failureOf(server))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("this end is for message connections")
                    .hasMessageContaining("for raw connections");
            assertThat(serverPair.changes).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void refusesAnotherVersionOnBothEndsNamingBoth(int version) throws Exception {
        try (Acceptor acceptor = listen(Role.RAW)) {
            CompletableFuture<Link> server = serve(acceptor);
            byte[] record = offer();
            record[9] = (byte) version;
            try (Socket client = connect(acceptor)) {
                client.getOutputStream().write(record);
                byte[] answer = client.getInputStream().readAllBytes();
                assertThat(HandshakeRecordDescriptor.decode(answer))
                        .isEqualTo(
                                new HandshakeRecord.Refusal(
                                        2, Role.RAW.code(), HandshakeRecord.Reason.VERSION, ""));
            }
            assertThat(failureOf(server))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("this end speaks version 2")
                    .hasMessageContaining("version " + version);
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
        Rendezvous client = dial((InetSocketAddress) server.getLocalSocketAddress(), Role.RAW, 99);
        try (client) {
            client.createQueuePair(Fakes.domain(clientPair), Fakes.initialAttributes());
            return catchThrowable(() -> client.establish(7, Deadline.after(timeoutNanos)));
        }
    }

    @Test
    void tellsTheDialerOfALaterVersionsRefusal() throws Exception {
        byte[] refusal =
                HandshakeRecordDescriptor.encode(
                        new HandshakeRecord.Refusal(9, 1, HandshakeRecord.Reason.VERSION, "use 9"));
        try (ServerSocket server = answering(refusal)) {
            assertThat(dialFailure(server, 5 * SECOND))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("version 2")
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

    @Test
    void saysNothingToAStranger() throws Exception {
        byte[] garbage = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] partial = java.util.Arrays.copyOf(offer(), 100);
        for (byte[] words : new byte[][] {garbage, partial, {}}) {
            try (Acceptor acceptor = listen(Role.RAW)) {
                CompletableFuture<Link> server = serve(acceptor);
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

    @Test
    void refusesARecordOutOfRangeWithTheReason() throws Exception {
        try (Acceptor acceptor = listen(Role.RAW)) {
            CompletableFuture<Link> server = serve(acceptor);
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
    void refusesAPeerOnAnotherKindOfNetworkOnBothEnds() throws Exception {
        clientProvider.linkLayer = LinkLayer.SHARED_MEMORY;
        try (Acceptor acceptor = listen(Role.RAW)) {
            CompletableFuture<Link> server = serve(acceptor);
            Rendezvous client = dial(acceptor.localAddress(), Role.RAW, 99);
            assertThatThrownBy(() -> establish(client, clientPair))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("different networks");
            assertThat(failureOf(server)).hasMessageContaining("different networks");
        }
    }

    @Test
    void refusesGidsOfDifferentTypesRatherThanRetryForever() throws Exception {
        clientProvider.gids =
                List.of(new GidEntry(0, new GlobalIdentifier(0, 1), GidType.ROCE_V1, "eth0"));
        try (Acceptor acceptor = listen(Role.RAW)) {
            CompletableFuture<Link> server = serve(acceptor);
            Rendezvous client = dial(acceptor.localAddress(), Role.RAW, 99);
            assertThatThrownBy(() -> establish(client, clientPair))
                    .hasMessageContaining("GIDs of different types");
            assertThat(failureOf(server)).hasMessageContaining("ROCE_V1");
        }
    }

    @Test
    void tellsThePeerWhyItIsRefusedByHigherLayers() throws Exception {
        try (Acceptor acceptor = listen(Role.RAW)) {
            CompletableFuture<Void> server =
                    CompletableFuture.runAsync(() -> {
                        try {
                            Inbound inbound = requireNonNull(acceptor.awaitInbound());
                            inbound.rendezvous(Deadline.after(SECOND)).refuse("no memory left");
                        } catch (IOException failure) {
                            throw new java.io.UncheckedIOException(failure);
                        }
                    });
            Rendezvous client = dial(acceptor.localAddress(), Role.RAW, 99);
            assertThatThrownBy(() -> establish(client, clientPair))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("no memory left");
            server.get(5, TimeUnit.SECONDS);
        }
    }

    @Test
    void saysThatNobodyListens() throws Exception {
        InetSocketAddress free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = (InetSocketAddress) socket.getLocalSocketAddress();
        }
        assertThatThrownBy(() -> dial(free, Role.RAW, 99))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        failure ->
                                assertThat(failure.reason())
                                        .isEqualTo(ConnectionException.Reason.REJECTED))
                .hasMessageContaining("nobody listens on 127.0.0.1:" + free.getPort())
                .hasMessageContaining("start the server first");
    }

    @Test
    void saysThatTheHostNameHasNoAddress() {
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("no.such.host", 1);
        assertThatThrownBy(() -> dial(unknown, Role.RAW, 99))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no.such.host has no address");
    }

    @Test
    void saysThatThePortIsInUse() throws Exception {
        try (Acceptor acceptor = listen(Role.RAW)) {
            assertThatThrownBy(() ->
                            TcpAcceptor.listen(
                                    serverProvider.selection(),
                                    acceptor.localAddress(),
                                    options,
                                    Role.RAW))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            failure ->
                                    assertThat(failure.reason())
                                            .isEqualTo(ConnectionException.Reason.ADDRESS_IN_USE))
                    .hasMessageContaining("another program listens there");
        }
    }

    @Test
    void checksDevicePortAndGidBeforeAnybodyIsDialled() {
        serverProvider.portState = PortState.DOWN;
        assertThatThrownBy(() -> listen(Role.RAW))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("port 1 of fake0 is DOWN");
        serverProvider.portState = PortState.ACTIVE;
        options = options.withPortNumber(2);
        assertThatThrownBy(() -> listen(Role.RAW)).hasMessageContaining("no port 2 of fake0");
        options = options.withPortNumber(1).withGidIndex(9);
        assertThatThrownBy(() -> listen(Role.RAW)).hasMessageContaining("no GID of index 9");
    }

    @Test
    void refusesWhatTheProviderCannotDo() {
        serverProvider.capabilities = EnumSet.of(Capability.CONNECTION_MANAGER);
        assertThatThrownBy(() -> listen(Role.RAW))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("exchange over TCP");
        serverProvider.capabilities = EnumSet.of(Capability.QUEUE_PAIR_MODIFY);
        options = options.withDevice("other");
        assertThatThrownBy(() -> listen(Role.RAW))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("choosing a device");
        options = options.withDevice("").withGidIndex(0);
        assertThatThrownBy(() -> listen(Role.RAW))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("choosing a GID");
    }
}
