package io.rdmanet.internal.setup;

import static io.rdmanet.internal.setup.TcpEnds.SECOND;
import static io.rdmanet.internal.setup.TcpEnds.establish;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairState;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How two ends meet over TCP, and how each learns that the other is gone.
final class TcpRendezvousTest {
    private final TcpEnds ends = new TcpEnds();

    @AfterEach
    void leavesNoDeviceOpen() {
        ends.assertNoDeviceOpen();
    }

    @Test
    void connectsTwoQueuePairsWithEachOthersNumbers() throws Exception {
        ends.serverProvider.mtu = PathMtu.MTU_1024;
        try (Acceptor acceptor = ends.listen(Role.RAW)) {
            CompletableFuture<Link> server = ends.serve(acceptor);
            try (Link clientLink =
                            establish(
                                    ends.dial(acceptor.localAddress(), Role.RAW, 99),
                                    ends.clientPair);
                    Link serverLink = server.get(5, TimeUnit.SECONDS)) {
                QueuePairAttributes atServer = ends.serverPair.all();
                QueuePairAttributes atClient = ends.clientPair.all();
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
            try (Acceptor acceptor = ends.listen(Role.RAW)) {
                CompletableFuture<Link> server = ends.serve(acceptor);
                Link client =
                        establish(
                                ends.dial(acceptor.localAddress(), Role.RAW, 99), ends.clientPair);
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
        assertThat(ends.clientPair.all().state()).isEqualTo(QueuePairState.ERROR);
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
        try (Acceptor acceptor = ends.listen(Role.RAW)) {
            CompletableFuture<Link> server = ends.serve(acceptor);
            try (Link client =
                            establish(
                                    ends.dial(acceptor.localAddress(), Role.RAW, 99),
                                    ends.clientPair);
                    Link accepted = server.get(5, TimeUnit.SECONDS)) {
                ends.serverProvider.asyncEvents.add(new AsyncEvent(AsyncEvent.Type.PORT_ERROR, 1));
                assertThat(accepted.isPeerGone()).isFalse();
                ends.serverProvider.asyncEvents.add(
                        new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, 0));
                assertThat(accepted.isPeerGone()).isTrue();
                assertThat(accepted.howGone()).contains("removed: fake0");
                assertThat(client.isPeerGone()).isFalse();
            }
        }
    }

    @Test
    void namesTheRouteOfWhatIsNotAnswered() throws Exception {
        try (Acceptor acceptor = ends.listen(Role.RAW)) {
            CompletableFuture<Link> server = ends.serve(acceptor);
            try (Link client =
                            establish(
                                    ends.dial(acceptor.localAddress(), Role.RAW, 99),
                                    ends.clientPair);
                    Link accepted = server.get(5, TimeUnit.SECONDS)) {
                ends.clientProvider.portState = PortState.DOWN;
                assertThat(client.route())
                        .contains("GID index 1: ")
                        .contains("(ROCE_V2, eth0) on port 1 of fake0 (now DOWN)")
                        .contains("to GID " + accepted.description().localGid());
            }
        }
    }

    @Test
    void connectionsOutliveTheirListener() throws Exception {
        Acceptor acceptor = ends.listen(Role.RAW);
        CompletableFuture<Link> server = ends.serve(acceptor);
        Link client = establish(ends.dial(acceptor.localAddress(), Role.RAW, 99), ends.clientPair);
        Link accepted = server.get(5, TimeUnit.SECONDS);
        acceptor.close();
        assertThat(ends.serverProvider.openContexts).hasValue(1);
        assertThat(client.isPeerGone()).isFalse();
        accepted.close();
        assertThat(ends.serverProvider.openContexts).hasValue(0);
        client.close();
    }
}
