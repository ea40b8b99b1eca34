package io.rdmanet.loopback.connection;

import static io.rdmanet.loopback.connection.TwoDevices.attributes;
import static io.rdmanet.loopback.connection.TwoDevices.last;
import static io.rdmanet.loopback.connection.TwoDevices.queuePairOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.loopback.connection.FakeDevice.FakeQueuePair;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How two queue pairs are connected, and what both ends know of it.
final class LoopbackConnectionTest {
    private TwoDevices devices;

    @BeforeEach
    void open() throws IOException {
        devices = new TwoDevices();
    }

    @AfterEach
    void close() {
        devices.close();
    }

    @Test
    void connectsTwoQueuePairsToOneAnother() throws Exception {
        ConnectionIdentifier active = devices.dial();
        assertThat(FakeDevice.of(queuePairOf(active)).state).isEqualTo(QueuePairState.INIT);
        ConnectionParameters asked = new ConnectionParameters(new byte[] {1, 2, 3}, 5, 6, 2, 3);
        Future<?> connecting = devices.connect(active, asked);
        try (ConnectionIdentifier passive = Throwing.take(devices.listener)) {
            assertThat(passive.privateData()).containsExactly(1, 2, 3);
            var passivePair =
                    passive.createQueuePair(devices.server.protectionDomain, attributes());
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
        assertThat(receive.addressVector().destinationGid())
                .isEqualTo(devices.server.hub.instance().gid());
        assertThat(passive.modifications.get(1).addressVector().destinationGid())
                .isEqualTo(devices.client.hub.instance().gid());
        assertThat(last(active).number(Attribute.RETRY_COUNT)).isEqualTo(2);
        assertThat(last(active).number(Attribute.RNR_RETRY_COUNT)).isEqualTo(3);
        assertThat(last(active).number(Attribute.MAX_READ_ATOMIC)).isEqualTo(reads);
    }

    @Test
    void reportsTheSameAddressesOnBothSides() throws Exception {
        InetSocketAddress source = Throwing.address("127.0.0.3", 777);
        ConnectionIdentifier active =
                devices.track(
                        devices.client.manager.resolve(
                                Throwing.address("0.0.0.0", devices.port()),
                                source,
                                Throwing.TIMEOUT));
        assertThat(active.localAddress()).isEqualTo(source);
        assertThat(active.remoteAddress()).isEqualTo(Throwing.loopback(devices.port()));
        ConnectionIdentifier other = devices.dial();
        assertThat(other.localAddress().getAddress().isLoopbackAddress()).isTrue();
        assertThat(other.localAddress().getPort()).isBetween(49_152, 65_535);
        try (ConnectionIdentifier passive = devices.establish(other)) {
            assertThat(passive.localAddress()).isEqualTo(other.remoteAddress());
            assertThat(passive.remoteAddress()).isEqualTo(other.localAddress());
        }
    }

    @Test
    void connectsWithinOneDevice() throws Exception {
        ConnectionIdentifier active =
                devices.track(
                        devices.server.manager.resolve(Throwing.loopback(devices.port()), null, 0));
        active.createQueuePair(devices.server.protectionDomain, attributes());
        Future<?> connecting = devices.connect(active, Throwing.PARAMETERS);
        devices.accept().close();
        connecting.get();
    }

    @Test
    void refusesStepsOutOfOrder() throws Exception {
        ConnectionIdentifier bare =
                devices.track(
                        devices.client.manager.resolve(Throwing.loopback(devices.port()), null, 0));
        assertThatThrownBy(() -> bare.connect(Throwing.PARAMETERS, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("create it first");
        assertThatThrownBy(() -> bare.accept(Throwing.PARAMETERS, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(
                        () -> bare.createQueuePair(devices.server.protectionDomain, attributes()))
                .isInstanceOf(IllegalArgumentException.class);
        bare.createQueuePair(devices.client.protectionDomain, attributes());
        assertThatThrownBy(
                        () -> bare.createQueuePair(devices.client.protectionDomain, attributes()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> bare.connect(Throwing.PARAMETERS.withPrivateData(new byte[57]), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bare.reject(new byte[0]))
                .isInstanceOf(IllegalStateException.class);
        devices.establish(bare).close();
    }

    @Test
    void servesManyClientsAtOnceOnVirtualThreads() throws Exception {
        int count = 50;
        try (ConnectionListener busy =
                devices.server.manager.listen(new InetSocketAddress(0), count)) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                clients.add(
                        devices.connect(
                                devices.dialTo(Throwing.loopback(busy.localAddress().getPort())),
                                Throwing.PARAMETERS));
            }
            List<ConnectionIdentifier> accepted = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ConnectionIdentifier passive = Throwing.take(busy);
                passive.createQueuePair(devices.server.protectionDomain, attributes());
                passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT);
                accepted.add(passive);
            }
            for (Future<?> each : clients) {
                each.get();
            }
            accepted.forEach(ConnectionIdentifier::close);
        }
    }
}
