package io.rdmanet.loopback.connection;

import static io.rdmanet.loopback.connection.TwoDevices.attributes;
import static io.rdmanet.loopback.connection.TwoDevices.queuePairOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.loopback.connection.FakeDevice.FakeQueuePair;
import io.rdmanet.loopback.link.ChildJvm;
import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How connections and the waiting on them end: by either end, by force, by an interrupt.
final class LoopbackConnectionEndTest {
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
    void aServerThatClosesAtOnceHasBeenConnected() throws Exception {
        for (int i = 0; i < 20; i++) {
            ConnectionIdentifier active = devices.dial();
            Future<?> connecting = devices.connect(active, Throwing.PARAMETERS);
            devices.accept().close();
            connecting.get();
            assertThat(active.awaitEvent(Throwing.TIMEOUT)).isEqualTo(ConnectionEvent.DISCONNECTED);
        }
    }

    @Test
    void disconnectPutsTheOwnQueuePairIntoErrorAndTellsBothSides() throws Exception {
        ConnectionIdentifier active = devices.dial();
        try (ConnectionIdentifier passive = devices.establish(active)) {
            Future<ConnectionEvent> waiting =
                    devices.threads.submit(() -> passive.awaitEvent(Throwing.TIMEOUT));
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
        ConnectionIdentifier active = devices.dial();
        try (ConnectionIdentifier passive = devices.establish(active)) {
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
        ConnectionIdentifier active = devices.dial();
        active.disconnect();
        assertThat(FakeDevice.of(queuePairOf(active)).state).isEqualTo(QueuePairState.INIT);
        assertThat(active.pollEvent()).isNull();
    }

    @Test
    void noticesThatThePeerWasKilled() throws Exception {
        try (ChildJvm child =
                ChildJvm.start(DiallingChild.class, "dial", Integer.toString(devices.port()))) {
            try (ConnectionIdentifier passive = Throwing.take(devices.listener)) {
                passive.createQueuePair(devices.server.protectionDomain, attributes());
                passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT);
                assertThat(child.readLine()).isEqualTo("connected");
                child.kill();
                assertThat(passive.awaitEvent(Throwing.TIMEOUT))
                        .isEqualTo(ConnectionEvent.DISCONNECTED);
            }
        }
    }

    @Test
    void closeWakesEveryThreadThatWaits() throws Exception {
        Future<?> inAwaitRequest = devices.threads.submit(() -> Throwing.take(devices.listener));
        ConnectionIdentifier connecting = devices.dial();
        try (ConnectionListener silent = devices.server.manager.listen(Throwing.loopback(0), 1)) {
            ConnectionIdentifier unanswered = devices.dialTo(silent.localAddress());
            Future<?> inConnect = devices.connect(unanswered, Throwing.PARAMETERS);
            Future<?> inAwaitEvent =
                    devices.threads.submit(() -> connecting.awaitEvent(Throwing.TIMEOUT));
            Thread.sleep(100);
            unanswered.close();
            connecting.close();
            devices.listener.close();
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
        ConnectionIdentifier active = devices.dial();
        List<Callable<?>> waits =
                List.of(
                        () -> devices.listener.awaitRequest(Throwing.TIMEOUT),
                        () -> active.awaitEvent(Throwing.TIMEOUT));
        for (Callable<?> wait : waits) {
            Future<?> waiting =
                    devices.threads.submit(() -> {
                        Thread.currentThread().interrupt();
                        assertThatThrownBy(wait::call)
                                .isInstanceOf(VerbsException.class)
                                .hasMessageContaining("EINTR");
                        assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    });
            waiting.get(2, TimeUnit.SECONDS);
        }
        assertThat(devices.listener.awaitRequest(0)).isNull();
    }
}
