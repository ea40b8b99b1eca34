package io.rdmanet.loopback.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.loopback.link.ChildJvm;
import io.rdmanet.loopback.link.TemporaryRendezvous;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LoopbackConnectionManagerTest {
    private TemporaryRendezvous temporary;
    private FakeDevice server;
    private FakeDevice client;

    @BeforeEach
    void open() throws IOException {
        temporary = TemporaryRendezvous.create();
        server = new FakeDevice();
        client = new FakeDevice();
    }

    @AfterEach
    void close() {
        server.close();
        client.close();
        temporary.close();
    }

    @Test
    void takesAFreePortForPortZero() throws VerbsException {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            try (ConnectionListener listener = server.manager.listen(any(0), 1);
                    ConnectionListener other = client.manager.listen(any(0), 1)) {
                int port = listener.localAddress().getPort();
                assertThat(port).isBetween(49_152, 65_535);
                assertThat(other.localAddress().getPort()).isNotEqualTo(port);
                ports.add(port);
            }
        }
        assertThat(ports).hasSizeGreaterThan(1);
    }

    @Test
    void refusesAPortThatAListenerHasUntilItIsClosed() throws VerbsException {
        int port;
        try (ConnectionListener listener = server.manager.listen(any(0), 1)) {
            port = listener.localAddress().getPort();
            for (FakeDevice device : new FakeDevice[] {server, client}) {
                Throwing.expect(
                        Reason.ADDRESS_IN_USE,
                        () -> device.manager.listen(Throwing.loopback(port), 1),
                        "port " + port);
            }
        }
        client.manager.listen(any(port), 1).close();
    }

    @Test
    void refusesAPortOfAnotherProcessUntilThatDies() throws Exception {
        try (ChildJvm child = ChildJvm.start(DiallingChild.class, "listen")) {
            int port = Integer.parseInt(child.readLine());
            Throwing.expect(
                    Reason.ADDRESS_IN_USE,
                    () -> server.manager.listen(any(port), 1),
                    "port " + port);
            child.kill();
            Path socket = temporary.path().resolve("cm-" + port + ".sock");
            assertThat(Files.exists(socket)).isTrue();
            Throwing.expect(
                    Reason.REJECTED, () -> dial(Throwing.loopback(port)), "nobody listens on");
            server.manager.listen(any(port), 1).close();
            assertThat(Files.exists(socket)).isFalse();
        }
    }

    @Test
    void refusesAddressesThatAreNotOfThisMachine() {
        InetSocketAddress elsewhere = new InetSocketAddress("192.0.2.1", 5);
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere.invalid", 5);
        for (InetSocketAddress address : new InetSocketAddress[] {elsewhere, unknown}) {
            Throwing.expect(
                    Reason.ADDRESS_ERROR,
                    () -> server.manager.listen(address, 1),
                    address.getHostString());
            Throwing.expect(
                    Reason.ADDRESS_ERROR,
                    () -> client.manager.resolve(address, null, 0),
                    address.getHostString());
            Throwing.expect(
                    Reason.ADDRESS_ERROR,
                    () -> client.manager.resolve(Throwing.loopback(5), address, 0),
                    address.getHostString());
        }
        Throwing.expect(
                Reason.ADDRESS_ERROR,
                () -> client.manager.resolve(Throwing.loopback(0), null, 0),
                "no port");
    }

    @Test
    void refusesABacklogOfNothing() {
        assertThatThrownBy(() -> server.manager.listen(any(0), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("backlog");
    }

    @Test
    void isNotClosedBeforeWhatItMadeAndThenClosesItsContext() throws VerbsException {
        ConnectionListener listener = server.manager.listen(any(0), 1);
        assertThatThrownBy(server.manager::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("listener");
        listener.close();
        var identifier = server.manager.resolve(Throwing.loopback(5), null, 0);
        assertThatThrownBy(server.manager::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("connection");
        identifier.close();
        server.manager.close();
        server.manager.close();
        assertThat(server.contextCloses).hasValue(1);
        assertThatThrownBy(() -> server.manager.listen(any(0), 1))
                .isInstanceOf(IllegalStateException.class);
    }

    private void dial(InetSocketAddress address) throws VerbsException {
        try (var identifier = client.manager.resolve(address, null, 0)) {
            identifier.createQueuePair(client.protectionDomain, FakeDevice.anyAttributes());
            identifier.connect(Throwing.PARAMETERS, Throwing.TIMEOUT);
        }
    }

    private static InetSocketAddress any(int port) {
        return new InetSocketAddress(port);
    }
}
