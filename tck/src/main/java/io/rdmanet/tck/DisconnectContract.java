package io.rdmanet.tck;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How a connection of the connection manager ends, and how its two ends learn of it.
public abstract class DisconnectContract extends VerbsContract {
    private static final int SLOT = 64;

    private ConnectionIdentifier client;
    private ConnectionIdentifier server;
    private PairEnd clientEnd;
    private PairEnd serverEnd;

    @BeforeEach
    final void connectByConnectionManager() throws Exception {
        assume(Capability.CONNECTION_MANAGER);
        long timeout = patience().toNanos();
        ConnectionManager manager = closing(provider().openConnectionManager());
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        client = closing(manager.resolve(listener.localAddress(), null, timeout));
        clientEnd = endOf(client);
        ConnectionIdentifier connected = client;
        Running<Void> connecting =
                start(
                        "connect",
                        () -> {
                            connected.connect(ConnectionParameters.defaults(), timeout);
                            return null;
                        });
        server = closing(requireNonNull(listener.awaitRequest(timeout), "no request in time"));
        serverEnd = endOf(server);
        server.accept(ConnectionParameters.defaults(), timeout);
        connecting.join();
    }

    private PairEnd endOf(ConnectionIdentifier identifier) throws VerbsException {
        return closing(
                new PairEnd(
                        identifier.context(),
                        PairOptions.defaults(),
                        patience(),
                        identifier::createQueuePair));
    }

    @Test
    void hasNoEventWhileConnected() throws Exception {
        assertThat(client.pollEvent()).isNull();
        assertThat(server.pollEvent()).isNull();
        assertThat(client.awaitEvent(0)).isNull();
        assertThat(server.awaitEvent(quiet().toNanos())).isNull();
    }

    @Test
    void tellsTheOtherEnd() throws Exception {
        client.disconnect();

        assertThat(server.awaitEvent(patience().toNanos())).isEqualTo(ConnectionEvent.DISCONNECTED);
    }

    @Test
    void wakesTheOtherEndFromItsWait() throws Exception {
        Running<ConnectionEvent> waiting =
                start(
                        "await",
                        () -> requireNonNull(client.awaitEvent(Duration.ofMinutes(5).toNanos())));
        Waiting.until(quiet(), waiting::isBlocked);

        server.disconnect();

        assertThat(waiting.join()).isEqualTo(ConnectionEvent.DISCONNECTED);
    }

    @Test
    void flushesTheOwnWork() throws Exception {
        clientEnd.postReceives(3, clientEnd.memory(3 * SLOT), SLOT);

        client.disconnect();

        clientEnd.awaitState(QueuePairState.ERROR);
        assertThat(clientEnd.receives().take(3))
                .extracting(Completion::status)
                .containsOnly(CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
    }

    @Test
    void deliversWhatHadCompletedBefore() throws Exception {
        serverEnd.postReceives(3, serverEnd.memory(3 * SLOT), SLOT);
        var source = clientEnd.memory(SLOT);
        for (int i = 0; i < 3; i++) {
            clientEnd.postSend(i, source, 0, SLOT);
        }
        clientEnd.sends().takeSuccesses(3);

        client.disconnect();

        assertThat(server.awaitEvent(patience().toNanos())).isEqualTo(ConnectionEvent.DISCONNECTED);
        serverEnd.receives().takeSuccesses(3);
    }

    @Test
    void workTowardsTheEndThatLeftFails() throws Exception {
        client.disconnect();
        assertThat(server.awaitEvent(patience().toNanos())).isEqualTo(ConnectionEvent.DISCONNECTED);

        serverEnd.postSend(1, serverEnd.memory(SLOT), 0, SLOT);

        assertThat(serverEnd.sends().take().status())
                .isIn(
                        CompletionStatus.WORK_REQUEST_FLUSH_ERROR,
                        CompletionStatus.RETRY_EXCEEDED_ERROR);
    }

    @Test
    void maySayItMoreThanOnceAndFromBothEnds() throws Exception {
        client.disconnect();
        client.disconnect();
        assertThat(server.awaitEvent(patience().toNanos())).isEqualTo(ConnectionEvent.DISCONNECTED);
        server.disconnect();
        server.disconnect();

        clientEnd.awaitState(QueuePairState.ERROR);
        serverEnd.awaitState(QueuePairState.ERROR);
    }

    @Test
    void closingTellsTheOtherEnd() throws Exception {
        clientEnd.close();
        client.close();

        assertThat(server.awaitEvent(patience().toNanos())).isEqualTo(ConnectionEvent.DISCONNECTED);
    }

    @Test
    void closingClosesTheQueuePairFirst() throws Exception {
        client.close();
        client.close();

        clientEnd.close(); // domain and queues are free to go
        assertThat(server.awaitEvent(patience().toNanos())).isEqualTo(ConnectionEvent.DISCONNECTED);
    }

    @Test
    void closingEndsTheWaitForAnEvent() throws Exception {
        Running<String> waiting =
                start(
                        "await",
                        () -> {
                            try {
                                client.awaitEvent(Duration.ofMinutes(5).toNanos());
                            } catch (VerbsException | IllegalStateException allowed) {
                                return "ended";
                            }
                            return "ended";
                        });
        Waiting.until(quiet(), waiting::isBlocked);

        clientEnd.close();
        client.close();

        assertThat(waiting.join()).isEqualTo("ended");
    }

    @Test
    void interruptingEndsTheWaitForAnEvent() throws Exception {
        Running<String> waiting =
                start(
                        "await",
                        () -> {
                            try {
                                client.awaitEvent(Duration.ofMinutes(5).toNanos());
                            } catch (VerbsException allowed) {
                                return "ended";
                            }
                            return "ended";
                        });
        Waiting.until(quiet(), waiting::isBlocked);

        waiting.thread().interrupt();

        assertThat(waiting.join()).isEqualTo("ended");
    }
}
