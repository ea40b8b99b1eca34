package io.rdmanet.internal.setup;

import static io.rdmanet.internal.setup.TcpEnds.SECOND;
import static io.rdmanet.internal.setup.TcpEnds.establish;
import static io.rdmanet.internal.setup.TcpEnds.failureOf;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.setup.Acceptor.Inbound;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What keeps two ends of ours from meeting over TCP, and what each is told of it.
final class TcpRefusalTest {
    private final TcpEnds ends = new TcpEnds();

    @AfterEach
    void leavesNoDeviceOpen() {
        ends.assertNoDeviceOpen();
    }

    @Test
    void refusesAnotherRoleOnBothEndsNamingBoth() throws Exception {
        try (Acceptor acceptor = ends.listen(Role.MESSAGE)) {
            CompletableFuture<Link> server = ends.serve(acceptor);
            Rendezvous client = ends.dial(acceptor.localAddress(), Role.RAW, 99);
            assertThatThrownBy(() -> establish(client, ends.clientPair))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("this end is for raw connections")
                    .hasMessageContaining("for message connections");
            assertThat(failureOf(server))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("this end is for message connections")
                    .hasMessageContaining("for raw connections");
            assertThat(ends.serverPair.changes).isEmpty();
        }
    }

    @Test
    void refusesAPeerOnAnotherKindOfNetworkOnBothEnds() throws Exception {
        ends.clientProvider.linkLayer = LinkLayer.SHARED_MEMORY;
        try (Acceptor acceptor = ends.listen(Role.RAW)) {
            CompletableFuture<Link> server = ends.serve(acceptor);
            Rendezvous client = ends.dial(acceptor.localAddress(), Role.RAW, 99);
            assertThatThrownBy(() -> establish(client, ends.clientPair))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining("different networks");
            assertThat(failureOf(server)).hasMessageContaining("different networks");
        }
    }

    @Test
    void refusesGidsOfDifferentTypesRatherThanRetryForever() throws Exception {
        ends.clientProvider.gids =
                List.of(new GidEntry(0, new GlobalIdentifier(0, 1), GidType.ROCE_V1, "eth0"));
        try (Acceptor acceptor = ends.listen(Role.RAW)) {
            CompletableFuture<Link> server = ends.serve(acceptor);
            Rendezvous client = ends.dial(acceptor.localAddress(), Role.RAW, 99);
            assertThatThrownBy(() -> establish(client, ends.clientPair))
                    .hasMessageContaining("GIDs of different types");
            assertThat(failureOf(server)).hasMessageContaining("ROCE_V1");
        }
    }

    @Test
    void tellsThePeerWhyItIsRefusedByHigherLayers() throws Exception {
        try (Acceptor acceptor = ends.listen(Role.RAW)) {
            CompletableFuture<Void> server =
                    CompletableFuture.runAsync(() -> {
                        try {
                            Inbound inbound = requireNonNull(acceptor.awaitInbound());
                            inbound.rendezvous(Deadline.after(SECOND)).refuse("no memory left");
                        } catch (IOException failure) {
                            throw new java.io.UncheckedIOException(failure);
                        }
                    });
            Rendezvous client = ends.dial(acceptor.localAddress(), Role.RAW, 99);
            assertThatThrownBy(() -> establish(client, ends.clientPair))
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
        assertThatThrownBy(() -> ends.dial(free, Role.RAW, 99))
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
        assertThatThrownBy(() -> ends.dial(unknown, Role.RAW, 99))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no.such.host has no address");
    }

    @Test
    void saysThatThePortIsInUse() throws Exception {
        try (Acceptor acceptor = ends.listen(Role.RAW)) {
            assertThatThrownBy(() ->
                            TcpAcceptor.listen(
                                    ends.serverProvider.selection(),
                                    acceptor.localAddress(),
                                    ends.options,
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
        ends.serverProvider.portState = PortState.DOWN;
        assertThatThrownBy(() -> ends.listen(Role.RAW))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("port 1 of fake0 is DOWN");
        ends.serverProvider.portState = PortState.ACTIVE;
        ends.options = ends.options.withPortNumber(2);
        assertThatThrownBy(() -> ends.listen(Role.RAW)).hasMessageContaining("no port 2 of fake0");
        ends.options = ends.options.withPortNumber(1).withGidIndex(9);
        assertThatThrownBy(() -> ends.listen(Role.RAW)).hasMessageContaining("no GID of index 9");
    }

    @Test
    void refusesWhatTheProviderCannotDo() {
        ends.serverProvider.capabilities = EnumSet.of(Capability.CONNECTION_MANAGER);
        assertThatThrownBy(() -> ends.listen(Role.RAW))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("exchange over TCP");
        ends.serverProvider.capabilities = EnumSet.of(Capability.QUEUE_PAIR_MODIFY);
        ends.options = ends.options.withDevice("other");
        assertThatThrownBy(() -> ends.listen(Role.RAW))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("choosing a device");
        ends.options = ends.options.withDevice("").withGidIndex(0);
        assertThatThrownBy(() -> ends.listen(Role.RAW))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("choosing a GID");
    }
}
