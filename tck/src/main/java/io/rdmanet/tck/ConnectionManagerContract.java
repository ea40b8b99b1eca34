package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of [ConnectionManager], [ConnectionListener] and [ConnectionIdentifier]:
/// connecting. [FailedConnectionContract] is about attempts that come to nothing,
/// [DisconnectContract] about the end of connections.
public abstract class ConnectionManagerContract extends ConnectingContract {
    @Test
    void carriesMessagesBothWays() throws Exception {
        ConnectionManager manager = openManager();
        ConnectedPair pair =
                closing(
                        ConnectedPair.byConnectionManager(
                                manager, socketAddress(), PairOptions.defaults(), patience()));

        assertThat(pair.left().queuePair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        assertThat(pair.right().queuePair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        assertCarries(pair.left(), pair.right());
        assertCarries(pair.right(), pair.left());
    }

    @Test
    void listensAtAFreePortForPortZero() throws Exception {
        ConnectionManager manager = openManager();

        ConnectionListener first = closing(manager.listen(socketAddress(), 1));
        ConnectionListener second = closing(manager.listen(socketAddress(), 1));

        assertThat(first.localAddress().getAddress()).isEqualTo(address());
        assertThat(first.localAddress().getPort()).isBetween(1, 65535);
        assertThat(second.localAddress()).isNotEqualTo(first.localAddress());
    }

    @Test
    void refusesAPortThatIsTaken() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionManager other = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));

        for (ConnectionManager each : List.of(manager, other)) {
            ConnectionException refusal =
                    catchThrowableOfType(
                            ConnectionException.class,
                            () -> each.listen(listener.localAddress(), 1));
            assertThat(refusal).as("refusal of a taken port").isNotNull();
            assertThat(refusal.reason()).isEqualTo(Reason.ADDRESS_IN_USE);
            assertThat(refusal)
                    .hasMessageContaining(String.valueOf(listener.localAddress().getPort()));
        }
    }

    @Test
    void freesThePortWhenTheListenerIsClosed() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        InetSocketAddress address = listener.localAddress();

        listener.close();
        listener.close();

        assertThat(closing(manager.listen(address, 1)).localAddress()).isEqualTo(address);
    }

    @Test
    void refusesAnAddressThatIsNotLocal() throws Exception {
        ConnectionManager manager = openManager();
        InetAddress documentation = InetAddress.ofLiteral("192.0.2.77"); // RFC 5737: nobody's

        ConnectionException refusal =
                catchThrowableOfType(
                        ConnectionException.class,
                        () -> manager.listen(new InetSocketAddress(documentation, 0), 1));

        assertThat(refusal).isNotNull();
        assertThat(refusal.reason()).isEqualTo(Reason.ADDRESS_ERROR);
    }

    @Test
    void listensAtTheWildcardAddress() throws Exception {
        ConnectionManager manager = openManager();
        InetAddress any =
                address() instanceof Inet4Address
                        ? InetAddress.ofLiteral("0.0.0.0")
                        : InetAddress.ofLiteral("::");
        ConnectionListener listener = closing(manager.listen(new InetSocketAddress(any, 0), 1));

        Party client =
                resolve(
                        manager,
                        new InetSocketAddress(address(), listener.localAddress().getPort()));
        Running<Void> connecting = connecting(client, ConnectionParameters.defaults());
        Party server = awaitRequest(listener);
        server.identifier().accept(ConnectionParameters.defaults(), patience().toNanos());
        connecting.join();

        assertThat(server.identifier().localAddress().getAddress()).isEqualTo(address());
        assertCarries(client.end(), server.end());
    }

    @Test
    void connectsByIpv6() throws Exception {
        assume(Capability.IPV6);
        skipUnless(hasIpv6Loopback(), "this machine has no IPv6 loopback address");
        skipUnless(
                address().isLoopbackAddress(),
                "the device is at " + address() + ", not at the loopback address");
        ConnectionManager manager = openManager();
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("::1"), 0);

        ConnectedPair pair =
                closing(
                        ConnectedPair.byConnectionManager(
                                manager, address, PairOptions.defaults(), patience()));

        assertCarries(pair.left(), pair.right());
    }

    private static boolean hasIpv6Loopback() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(it -> it instanceof Inet6Address && it.isLoopbackAddress());
    }

    @Test
    void mirrorsAddressesAndTellsThePort() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        Party client = resolve(manager, listener.localAddress());
        Running<Void> connecting = connecting(client, ConnectionParameters.defaults());
        Party server = awaitRequest(listener);
        server.identifier().accept(ConnectionParameters.defaults(), patience().toNanos());
        connecting.join();

        InetSocketAddress clientLocal = client.identifier().localAddress();
        assertThat(client.identifier().remoteAddress()).isEqualTo(listener.localAddress());
        assertThat(server.identifier().localAddress()).isEqualTo(listener.localAddress());
        assertThat(server.identifier().remoteAddress()).isEqualTo(clientLocal);
        assertThat(clientLocal.getPort()).isPositive();
        assertThat(client.identifier().portNumber()).isPositive();
        assertThat(server.identifier().portNumber()).isPositive();
        assertThat(client.identifier().context().provider().name()).isEqualTo(provider().name());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 55, 56})
    void carriesPrivateDataBothWays(int length) throws Exception {
        assume(Capability.PRIVATE_DATA);
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        byte[] request = bytes(length, 1);
        byte[] acceptance = bytes(length, 2);
        Party client = resolve(manager, listener.localAddress());

        Running<Void> connecting =
                connecting(client, ConnectionParameters.defaults().withPrivateData(request));
        Party server = awaitRequest(listener);
        assertStartsWith(server.identifier().privateData(), request);
        server.identifier()
                .accept(
                        ConnectionParameters.defaults().withPrivateData(acceptance),
                        patience().toNanos());
        connecting.join();

        assertStartsWith(client.identifier().privateData(), acceptance);
    }

    @Test
    void refusesMorePrivateDataThanARequestCarries() throws Exception {
        assume(Capability.PRIVATE_DATA);
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        Party client = resolve(manager, listener.localAddress());
        ConnectionParameters tooMuch =
                ConnectionParameters.defaults()
                        .withPrivateData(
                                new byte[ConnectionParameters.MAX_REQUEST_PRIVATE_DATA + 1]);

        assertThatThrownBy(() -> client.identifier().connect(tooMuch, patience().toNanos()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void serversTakeSeveralClientsInTurn() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 8));
        List<Party> clients = new ArrayList<>();
        List<Running<Void>> connecting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.add(resolve(manager, listener.localAddress()));
            connecting.add(connecting(clients.get(i), ConnectionParameters.defaults()));
        }
        List<Party> servers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Party server = awaitRequest(listener);
            server.identifier().accept(ConnectionParameters.defaults(), patience().toNanos());
            servers.add(server);
        }
        for (Running<Void> each : connecting) {
            each.join();
        }
        for (Party client : clients) {
            Party server =
                    servers.stream()
                            .filter(it ->
                                    it.identifier()
                                            .remoteAddress()
                                            .equals(client.identifier().localAddress()))
                            .findFirst()
                            .orElseThrow();
            assertCarries(client.end(), server.end());
        }
    }

    @Test
    void receivesPostedBeforeConnectingTakeTheFirstMessage() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        Party client = resolve(manager, listener.localAddress());
        client.end().postReceives(1, client.end().memory(SLOT), SLOT);
        ConnectionParameters noRetries = ConnectionParameters.defaults().withRnrRetryCount(0);
        Running<Void> connecting = connecting(client, noRetries);
        Party server = awaitRequest(listener);
        assertThat(server.end().queuePair().state()).isEqualTo(QueuePairState.INIT);

        server.identifier().accept(noRetries, patience().toNanos());
        server.end().postSend(1, server.end().memory(SLOT), 0, SLOT);

        client.end().receives().takeSuccesses(1);
        server.end().sends().takeSuccesses(1);
        connecting.join();
    }

    @Test
    void awaitsNothingWithATimeoutOfZero() throws Exception {
        ConnectionListener listener = closing(openManager().listen(socketAddress(), 1));

        assertThat(listener.awaitRequest(0)).isNull();
        assertThat(listener.awaitRequest(quiet().toNanos())).isNull();
    }

    @Test
    void closingTheListenerEndsTheWait() throws Exception {
        ConnectionListener listener = closing(openManager().listen(socketAddress(), 1));
        Running<String> waiting =
                start(
                        "await",
                        () -> {
                            try {
                                return "answered " + listener.awaitRequest(5 * 60_000_000_000L);
                            } catch (VerbsException | IllegalStateException expected) {
                                return "ended";
                            }
                        });
        Waiting.until(quiet(), waiting::isBlocked);

        listener.close();

        assertThat(waiting.join()).isIn("ended", "answered null");
    }

    @Test
    void refusesToCloseTheManagerWhileAListenerIsOpen() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));

        assertThatThrownBy(manager::close).isInstanceOf(IllegalStateException.class);

        listener.close();
        manager.close();
        manager.close();
    }

    @Test
    void refusesToCloseTheManagerWhileAnIdentifierIsOpen() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        ConnectionIdentifier identifier =
                closing(manager.resolve(listener.localAddress(), null, patience().toNanos()));
        listener.close();

        assertThatThrownBy(manager::close).isInstanceOf(IllegalStateException.class);

        identifier.close();
        identifier.close();
        manager.close();
    }

    @Test
    void resolvesFromASourceAddress() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));

        ConnectionIdentifier identifier =
                closing(
                        manager.resolve(
                                listener.localAddress(), socketAddress(), patience().toNanos()));

        assertThat(identifier.localAddress().getAddress()).isEqualTo(address());
        assertThat(identifier.remoteAddress()).isEqualTo(listener.localAddress());
    }
}
