package io.rdmanet.loopback.connection;

import static io.rdmanet.loopback.connection.TwoDevices.SECOND;
import static io.rdmanet.loopback.connection.TwoDevices.attributes;
import static io.rdmanet.loopback.connection.TwoDevices.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.loopback.link.ChildJvm;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What keeps a connection from standing, and what each end is told of it.
final class LoopbackRefusalTest {
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
    void saysThatNobodyListens() throws VerbsException {
        int port = devices.port();
        devices.listener.close();
        ConnectionIdentifier active = devices.dialTo(Throwing.loopback(port));
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
                devices.server.manager.listen(Throwing.address("127.0.0.1", 0), 1)) {
            int port = bound.localAddress().getPort();
            ConnectionIdentifier active = devices.dialTo(Throwing.address("127.0.0.2", port));
            Throwing.expect(
                    Reason.REJECTED,
                    () -> active.connect(Throwing.PARAMETERS, Throwing.TIMEOUT),
                    "bound to 127.0.0.1:" + port,
                    "not to 127.0.0.2:" + port);
        }
    }

    @Test
    void carriesARejectionWithItsData() throws Exception {
        ConnectionIdentifier active = devices.dial();
        Future<?> connecting = devices.connect(active, Throwing.PARAMETERS);
        try (ConnectionIdentifier passive = Throwing.take(devices.listener)) {
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
        Future<?> first = devices.connect(devices.dial(), Throwing.PARAMETERS);
        Throwing.take(devices.listener).close();
        assertThat(failureOf(first).reason()).isEqualTo(Reason.REJECTED);
        Future<?> second = devices.connect(devices.dial(), Throwing.PARAMETERS);
        awaitWaiting();
        devices.listener.close();
        assertThat(failureOf(second).reason()).isEqualTo(Reason.REJECTED);
        assertThatThrownBy(() -> devices.listener.awaitRequest(0))
                .isInstanceOf(VerbsException.class);
    }

    /// Gives a request the time to arrive without taking it.
    private static void awaitWaiting() throws InterruptedException {
        Thread.sleep(200);
    }

    @Test
    void connectTimesOutAndTheLateAcceptFindsTheClientGone() throws Exception {
        ConnectionIdentifier active = devices.dial();
        Future<?> connecting = devices.connect(active, Throwing.PARAMETERS, SECOND / 10);
        try (ConnectionIdentifier passive = Throwing.take(devices.listener)) {
            assertThat(failureOf(connecting).reason()).isEqualTo(Reason.TIMED_OUT);
            passive.createQueuePair(devices.server.protectionDomain, attributes());
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
        Path socket = devices.temporary.path().resolve("cm-5.sock");
        try (ServerSocketChannel stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            stopped.bind(UnixDomainSocketAddress.of(socket), 1);
            List<SocketChannel> fillers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                fillers.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
            }
            ConnectionIdentifier active = devices.dialTo(Throwing.loopback(5));
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
    void saysThatTheListenersProcessWasKilledBeforeItAnswered() throws Exception {
        try (ChildJvm child = ChildJvm.start(DiallingChild.class, "listen")) {
            int port = Integer.parseInt(child.readLine());
            Future<?> connecting =
                    devices.connect(
                            devices.dialTo(Throwing.loopback(port)),
                            Throwing.PARAMETERS,
                            Throwing.TIMEOUT);
            Thread.sleep(200);
            child.kill();
            assertThat(failureOf(connecting).reason()).isEqualTo(Reason.PEER_GONE);
        }
    }

    @Test
    void reportsADeviceThatRefusesAndTellsThePeer() throws Exception {
        devices.server.refusal =
                new VerbsException("modify_qp", ErrorNumber.EHOSTUNREACH, "no such peer");
        Future<?> connecting = devices.connect(devices.dial(), Throwing.PARAMETERS);
        try (ConnectionIdentifier passive = Throwing.take(devices.listener)) {
            passive.createQueuePair(devices.server.protectionDomain, attributes());
            Throwing.expect(
                    Reason.PEER_GONE,
                    () -> passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT),
                    "no such peer");
            assertThat(failureOf(connecting).reason()).isEqualTo(Reason.REJECTED);
        }
        devices.client.refusal = new VerbsException("modify_qp", "no memory");
        devices.server.refusal = null;
        Future<?> second = devices.connect(devices.dial(), Throwing.PARAMETERS);
        try (ConnectionIdentifier passive = Throwing.take(devices.listener)) {
            passive.createQueuePair(devices.server.protectionDomain, attributes());
            Throwing.expect(
                    Reason.PEER_GONE,
                    () -> passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT),
                    "gave the connection up");
            assertThat(failureOf(second).reason()).isEqualTo(Reason.CONNECT_ERROR);
        }
    }
}
