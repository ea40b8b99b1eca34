package io.rdmanet.tck;

import static java.util.Objects.requireNonNull;
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
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Attempts to connect by rdma_cm that come to nothing: rejected, not answered, or given up; and
/// that the listener is as good as before.
public abstract class FailedConnectionContract extends ConnectingContract {
    @Test
    void rejectsWithPrivateData() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        Party client = resolve(manager, listener.localAddress());
        Running<Void> connecting = connecting(client, ConnectionParameters.defaults());
        ConnectionIdentifier request =
                closing(requireNonNull(listener.awaitRequest(patience().toNanos())));
        byte[] reason =
                provider().capabilities().contains(Capability.PRIVATE_DATA)
                        ? bytes(20, 3)
                        : new byte[0];

        request.reject(reason);

        ConnectionException rejection = failureOf(connecting);
        assertThat(rejection.reason()).isEqualTo(Reason.REJECTED);
        assertStartsWith(rejection.privateData(), reason);
    }

    @Test
    void isRejectedWhereNobodyListens() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        InetSocketAddress address = listener.localAddress();
        listener.close();
        Party client = resolve(manager, address);

        ConnectionException rejection =
                failureOf(connecting(client, ConnectionParameters.defaults()));

        assertThat(rejection.reason()).isEqualTo(Reason.REJECTED);
        assertThat(rejection).hasMessageContaining(String.valueOf(address.getPort()));
    }

    @Test
    void closingTheListenerRejectsWhoWaits() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 4));
        Party client = resolve(manager, listener.localAddress());
        Running<Void> connecting = connecting(client, ConnectionParameters.defaults());
        Waiting.until(quiet(), () -> false); // time for the request to arrive

        listener.close();

        assertThat(failureOf(connecting).reason()).isEqualTo(Reason.REJECTED);
    }

    @Test
    void closingARequestRejectsIt() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 4));
        Party client = resolve(manager, listener.localAddress());
        Running<Void> connecting = connecting(client, ConnectionParameters.defaults());
        requireNonNull(listener.awaitRequest(patience().toNanos())).close();

        assertThat(failureOf(connecting).reason()).isIn(Reason.REJECTED, Reason.PEER_GONE);
    }

    @Test
    void timesOutWhenNobodyAccepts() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        Party client = resolve(manager, listener.localAddress());

        Running<Void> connecting =
                start(
                        "connect",
                        () -> {
                            client.identifier()
                                    .connect(
                                            ConnectionParameters.defaults(),
                                            Duration.ofMillis(200).toNanos());
                            return null;
                        });

        assertThat(failureOf(connecting).reason())
                .isIn(Reason.TIMED_OUT, Reason.UNREACHABLE); // as librdmacm calls it
    }

    @Test
    void closingTheIdentifierEndsItsAttempt() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        Party client = resolve(manager, listener.localAddress());
        Running<Void> connecting = connecting(client, ConnectionParameters.defaults());
        Waiting.until(quiet(), () -> false); // time for the request to be sent

        client.end().close();
        client.identifier().close();

        assertThatThrownBy(() -> connecting.join(patience().dividedBy(2)))
                .isInstanceOf(VerbsException.class);
        assertThatThrownBy(() -> client.identifier().awaitEvent(patience().toNanos()))
                .isInstanceOf(VerbsException.class);
    }

    @Test
    void interruptingEndsTheAttempt() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 1));
        Party client = resolve(manager, listener.localAddress());
        Running<Void> connecting = connecting(client, ConnectionParameters.defaults());
        Waiting.until(quiet(), () -> false); // time for the request to be sent

        connecting.thread().interrupt();

        assertThatThrownBy(() -> connecting.join(patience().dividedBy(2)))
                .isInstanceOf(VerbsException.class);
    }

    @Test
    void theListenerSurvivesAClientThatGivesUp() throws Exception {
        ConnectionManager manager = openManager();
        ConnectionListener listener = closing(manager.listen(socketAddress(), 4));
        Party impatient = resolve(manager, listener.localAddress());
        assertThatThrownBy(() ->
                        impatient
                                .identifier()
                                .connect(
                                        ConnectionParameters.defaults(),
                                        Duration.ofMillis(100).toNanos()))
                .isInstanceOf(ConnectionException.class);
        impatient.end().close();
        impatient.identifier().close();

        Party patient = resolve(manager, listener.localAddress());
        Running<Void> connecting = connecting(patient, ConnectionParameters.defaults());
        Party accepted = acceptFirstThatStands(listener);
        connecting.join();

        assertCarries(patient.end(), accepted.end());
    }

    /// Takes requests until one can be accepted: those of clients that have gone may come first.
    private Party acceptFirstThatStands(ConnectionListener listener) throws Exception {
        List<ConnectionException> failures = new ArrayList<>();
        for (int attempt = 0; attempt < 3; attempt++) {
            try {
                Party server = awaitRequest(listener);
                server.identifier().accept(ConnectionParameters.defaults(), patience().toNanos());
                return server;
            } catch (ConnectionException gone) {
                failures.add(gone);
            }
        }
        throw new AssertionError("no request could be accepted: " + failures);
    }

    private ConnectionException failureOf(Running<Void> connecting) {
        ConnectionException failure =
                catchThrowableOfType(
                        ConnectionException.class,
                        () -> connecting.join(patience().plusSeconds(2)));
        assertThat(failure).as("the failure to connect").isNotNull();
        return failure;
    }
}
