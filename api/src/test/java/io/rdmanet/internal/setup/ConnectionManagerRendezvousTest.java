package io.rdmanet.internal.setup;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.DeadlineException;
import io.rdmanet.EndpointOptions;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.setup.Fakes.FakeProvider;
import io.rdmanet.internal.setup.Fakes.FakeQueuePair;
import io.rdmanet.internal.setup.HandshakeRecord.Reason;
import io.rdmanet.internal.setup.HandshakeRecord.Refusal;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// rdma_cm's half with a connection manager that a test steers.
final class ConnectionManagerRendezvousTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress PEER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 18515);

    private final FakeProvider provider = new FakeProvider();
    private final FakeQueuePair pair = new FakeQueuePair(0x42);
    private final List<ConnectionParameters> connected = new ArrayList<>();
    private final List<byte[]> rejections = new ArrayList<>();
    private final Deque<ConnectionIdentifier> requests = new ArrayDeque<>();
    private final Deque<ConnectionEvent> events = new ArrayDeque<>();
    private byte[] privateData = new byte[0];
    private @Nullable ConnectionException connectFailure;
    private @Nullable ConnectionException resolveFailure;
    private Runnable whileWaiting = () -> {};
    private int openIdentifiers;
    private int openManagers;
    private EndpointOptions options = EndpointOptions.defaults();

    @AfterEach
    void leavesNothingOpen() {
        assertThat(openIdentifiers).isZero();
        assertThat(openManagers).isZero();
    }

    private ConnectionIdentifier identifier() {
        openIdentifiers++;
        return Fakes.fake(
                ConnectionIdentifier.class,
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "context" -> provider.context("fake0");
                            case "portNumber" -> 1;
                            case "localAddress", "remoteAddress" -> PEER;
                            case "createQueuePair" -> pair.queuePair;
                            case "privateData" -> privateData;
                            case "connect", "accept" -> {
                                connected.add((ConnectionParameters) arguments[0]);
                                if (connectFailure != null) {
                                    throw connectFailure;
                                }
                                pair.queuePair.modify(
                                        QueuePairAttributes.toReadyToReceive(
                                                AddressVector.to(new GlobalIdentifier(1, 2), 1, 1),
                                                PathMtu.MTU_2048,
                                                0x77,
                                                0x88));
                                pair.queuePair.modify(QueuePairAttributes.toReadyToSend(0x99));
                                yield null;
                            }
                            case "reject" -> {
                                rejections.add((byte[]) arguments[0]);
                                yield null;
                            }
                            case "pollEvent" -> events.poll();
                            case "disconnect" -> null;
                            case "close" -> {
                                openIdentifiers--;
                                yield null;
                            }
                            default -> throw Fakes.notFaked(method);
                        });
    }

    private void installManager() {
        openManagers++;
        provider.manager =
                Fakes.fake(
                        ConnectionManager.class,
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "resolve" -> {
                                        if (resolveFailure != null) {
                                            throw resolveFailure;
                                        }
                                        yield identifier();
                                    }
                                    case "listen" -> listener();
                                    case "close" -> {
                                        openManagers--;
                                        yield null;
                                    }
                                    default -> throw Fakes.notFaked(method);
                                });
    }

    private ConnectionListener listener() {
        return Fakes.fake(
                ConnectionListener.class,
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "localAddress" -> PEER;
                            case "awaitRequest" -> {
                                whileWaiting.run();
                                yield requests.poll();
                            }
                            case "close" -> null;
                            default -> throw Fakes.notFaked(method);
                        });
    }

    private Rendezvous dial() throws IOException {
        installManager();
        return Dialling.dial(
                List.of(provider),
                new DialRequest(PEER, options, Role.RAW, 128, Deadline.after(SECOND)));
    }

    private Link establish(Rendezvous rendezvous) throws IOException {
        try {
            rendezvous.createQueuePair(Fakes.domain(pair), Fakes.initialAttributes());
            return rendezvous.establish(3, Deadline.after(SECOND));
        } catch (IOException failure) {
            rendezvous.close();
            throw failure;
        }
    }

    @Test
    void announcesRoleAndDepthAndReportsMeasuredFacts() throws Exception {
        try (Link link = establish(dial())) {
            ConnectionParameters parameters = connected.getFirst();
            assertThat(parameters.retryCount()).isEqualTo(6);
            assertThat(parameters.rnrRetryCount()).isEqualTo(3);
            assertThat(parameters.initiatorDepth()).isEqualTo(16);
            assertThat(PrivateDataDescriptor.receiveDepth(parameters.privateData())).isEqualTo(128);
            assertThat(link.description())
                    .isEqualTo(
                            new ConnectionDescription(
                                    "fake",
                                    "the best provider with a device",
                                    "fake0",
                                    1,
                                    io.rdmanet.verbs.LinkLayer.ETHERNET,
                                    ConnectionSetup.RDMA_CM,
                                    PathMtu.MTU_2048,
                                    1,
                                    provider.gids.get(1).gid(),
                                    new GlobalIdentifier(1, 2),
                                    0x42,
                                    0x77,
                                    0x99,
                                    0x88,
                                    0));
        }
    }

    @Test
    void sendsNoPrivateDataWhereTheProviderHasNone() throws Exception {
        provider.capabilities = EnumSet.complementOf(EnumSet.of(Capability.PRIVATE_DATA));
        establish(dial()).close();
        assertThat(connected.getFirst().privateData()).isEmpty();
    }

    @Test
    void seesThePeerGoByItsEvent() throws Exception {
        try (Link link = establish(dial())) {
            assertThat(link.isPeerGone()).isFalse();
            events.add(ConnectionEvent.ADDRESS_CHANGED);
            assertThat(link.isPeerGone()).isFalse();
            events.add(ConnectionEvent.DISCONNECTED);
            assertThat(link.isPeerGone()).isTrue();
            assertThat(link.isPeerGone()).isTrue();
        }
    }

    @Test
    void refusesADeviceThatDoesNotOwnTheAddress() {
        options = options.withDevice("mlx5_1");
        assertThatThrownBy(this::dial)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("mlx5_1 was asked for")
                .hasMessageContaining("belongs to fake0")
                .hasMessageContaining("use an address of mlx5_1, or the TCP exchange");
    }

    @Test
    void namesTheDevicesThereAreIfTheOneAskedForIsNot() {
        options = options.withDevice("nosuchdevice");
        assertThatThrownBy(this::dial)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("has no device nosuchdevice; it has: fake0, mlx5_1; why ");
        // The fake was made, but refused before anybody opened it.
        openManagers--;
    }

    @Test
    void takesADeviceThatOwnsTheAddress() throws Exception {
        options = options.withDevice("fake0");
        establish(dial()).close();
    }

    @Test
    void refusesAGidThatIsNotTheOneInUse() throws Exception {
        options = options.withGidIndex(0);
        Rendezvous rendezvous = dial();
        assertThatThrownBy(() -> establish(rendezvous))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("index 0 was asked for, but rdma_cm uses index 1");
        options = options.withGidIndex(1);
        establish(dial()).close();
    }

    @Test
    void refusesAnotherPortOfTheDevice() {
        options = options.withPortNumber(2);
        assertThatThrownBy(this::dial).hasMessageContaining("port 2 was asked for");
    }

    @Test
    void refusesWhatTheProviderCannotDo() {
        provider.capabilities = EnumSet.of(Capability.QUEUE_PAIR_MODIFY);
        assertThatThrownBy(() ->
                        Dialling.dial(
                                List.of(provider),
                                new DialRequest(
                                        PEER, options, Role.RAW, 1, Deadline.after(SECOND))))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("rdma_cm");
    }

    private void failToConnect(ConnectionException.Reason reason, byte[] data) {
        connectFailure = new ConnectionException("rdma_connect", reason, "details", data);
    }

    @Test
    void tellsEachReasonApart() throws Exception {
        for (ConnectionException.Reason reason : ConnectionException.Reason.values()) {
            failToConnect(reason, new byte[0]);
            Rendezvous rendezvous = dial();
            if (reason == ConnectionException.Reason.TIMED_OUT) {
                assertThatThrownBy(() -> establish(rendezvous))
                        .isInstanceOf(DeadlineException.class)
                        .hasMessageContaining("127.0.0.1:18515")
                        .hasMessageContaining("no answer within 1000 ms (rdma_connect)")
                        .hasMessageNotContaining("details")
                        .hasCause(connectFailure);
            } else {
                assertThatThrownBy(() -> establish(rendezvous))
                        .isInstanceOfSatisfying(
                                ConnectionException.class,
                                failure -> assertThat(failure.reason()).isEqualTo(reason))
                        .hasMessageContaining("127.0.0.1:18515")
                        .hasMessageContaining("details");
            }
        }
    }

    @Test
    void saysToStartTheServerIfNobodyListens() throws Exception {
        failToConnect(ConnectionException.Reason.REJECTED, new byte[148]);
        Rendezvous rendezvous = dial();
        assertThatThrownBy(() -> establish(rendezvous))
                .hasMessageContaining("nobody listens on 127.0.0.1:18515")
                .hasMessageContaining("start the server first");
    }

    @Test
    void repeatsWhatTheListenerSaidWithItsRejection() throws Exception {
        failToConnect(
                ConnectionException.Reason.REJECTED,
                PrivateDataDescriptor.encodeRejection(
                        new Refusal(1, Role.MESSAGE.code(), Reason.ROLE, "")));
        Rendezvous mismatched = dial();
        assertThatThrownBy(() -> establish(mismatched))
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("raw connections")
                .hasMessageContaining("message connections");
        failToConnect(
                ConnectionException.Reason.REJECTED,
                PrivateDataDescriptor.encodeRejection(
                        new Refusal(1, Role.RAW.code(), Reason.FAILED, "memlock limit")));
        Rendezvous failed = dial();
        assertThatThrownBy(() -> establish(failed))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("memlock limit");
    }

    @Test
    void closesEverythingIfTheAddressCannotBeResolved() {
        resolveFailure =
                new ConnectionException(
                        "rdma_resolve_addr", ConnectionException.Reason.ADDRESS_ERROR, "ENODEV");
        assertThatThrownBy(this::dial)
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no RDMA device of this machine reaches 127.0.0.1:18515")
                .hasMessageContaining("ENODEV");
    }

    // ---- the accepting end

    private Rendezvous acceptOne() throws IOException {
        installManager();
        try (Acceptor acceptor = Acceptor.listen(List.of(provider), PEER, options, Role.RAW)) {
            requests.add(identifier());
            try (Acceptor.Inbound inbound = requireNonNull(acceptor.awaitInbound())) {
                return inbound.rendezvous(Deadline.after(SECOND));
            }
        }
    }

    @Test
    void learnsTheDepthFromTheRequestOrNothing() throws Exception {
        privateData = PrivateDataDescriptor.encodeRequest(Role.RAW, 64);
        try (Rendezvous rendezvous = acceptOne()) {
            assertThat(rendezvous.announcedReceiveDepth()).isEqualTo(64);
        }
        privateData = new byte[56];
        try (Rendezvous rendezvous = acceptOne()) {
            assertThat(rendezvous.announcedReceiveDepth()).isZero();
        }
    }

    @Test
    void acceptedConnectionsOutliveTheirListener() throws Exception {
        Link link = establish(acceptOne());
        assertThat(openManagers).isEqualTo(1);
        link.close();
        link.close();
        assertThat(openManagers).isZero();
    }

    @Test
    void keepsTheManagerForARequestThatComesInDuringClose() throws Exception {
        installManager();
        Acceptor acceptor = Acceptor.listen(List.of(provider), PEER, options, Role.RAW);
        whileWaiting = acceptor::close;
        requests.add(identifier());
        try (Acceptor.Inbound inbound = requireNonNull(acceptor.awaitInbound())) {
            assertThat(openManagers).isEqualTo(1);
            inbound.refuse("the listener is closing");
        }
        assertThat(rejections).hasSize(1);
        assertThatThrownBy(acceptor::awaitInbound).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void releasesTheManagerIfNobodyCameBeforeClose() throws Exception {
        installManager();
        Acceptor acceptor = Acceptor.listen(List.of(provider), PEER, options, Role.RAW);
        whileWaiting = acceptor::close;
        assertThat(acceptor.awaitInbound()).isNull();
    }

    @Test
    void retriesALimitedNumberOfTimesOnBothEnds() throws Exception {
        // 7 would be for ever on some devices.
        establish(dial()).close();
        establish(acceptOne()).close();
        assertThat(connected)
                .hasSize(2)
                .allSatisfy(parameters -> assertThat(parameters.retryCount()).isBetween(1, 6));
    }

    @Test
    void rejectsAnotherRoleWithTheReason() {
        privateData = PrivateDataDescriptor.encodeRequest(Role.MESSAGE, 0);
        assertThatThrownBy(this::acceptOne)
                .isInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining("this end is for raw")
                .hasMessageContaining("for message");
        assertThat(PrivateDataDescriptor.decodeRejection(rejections.getFirst()))
                .isEqualTo(new Refusal(2, Role.RAW.code(), Reason.ROLE, ""));
    }

    @Test
    void rejectsAnotherVersionAndAnotherProgram() {
        privateData = PrivateDataDescriptor.encodeRequest(Role.RAW, 0);
        privateData[5] = 9;
        assertThatThrownBy(this::acceptOne).hasMessageContaining("version 9");
        privateData[5] = 1;
        assertThatThrownBy(this::acceptOne)
                .hasMessageContaining("this end speaks version 2")
                .hasMessageContaining("version 1");
        privateData = new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        assertThatThrownBy(this::acceptOne).hasMessageContaining("is not rdmanet's");
        privateData = PrivateDataDescriptor.encodeRequest(Role.RAW, -1);
        assertThatThrownBy(this::acceptOne).hasMessageContaining("receive depth is -1");
        assertThat(rejections).hasSize(4);
    }

    @Test
    void rejectsARequestThatCameInOverAnotherDevice() {
        options = options.withDevice("mlx5_1");
        assertThatThrownBy(this::acceptOne).hasMessageContaining("belongs to fake0");
        Refusal refusal =
                requireNonNull(PrivateDataDescriptor.decodeRejection(rejections.getFirst()));
        assertThat(refusal.text()).contains("mlx5_1");
    }

    @Test
    void rejectsWhatIsRefusedUnheardOrByHigherLayers() throws Exception {
        acceptOne().refuse("no memory left");
        installManager();
        try (Acceptor acceptor = Acceptor.listen(List.of(provider), PEER, options, Role.RAW)) {
            requests.add(identifier());
            requireNonNull(acceptor.awaitInbound()).refuse("too many");
            assertThat(acceptor.awaitInbound()).isNull();
        }
        assertThat(rejections)
                .extracting(PrivateDataDescriptor::decodeRejection)
                .extracting(Refusal::text)
                .containsExactly("no memory left", "too many");
    }
}
