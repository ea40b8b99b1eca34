package io.rdmanet.loopback.connection;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// What the connection tests share.
final class Throwing {
    static final ConnectionParameters PARAMETERS = ConnectionParameters.defaults();
    static final long TIMEOUT = TimeUnit.SECONDS.toNanos(10);

    private Throwing() {}

    static void expect(Reason reason, ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason))
                .message()
                .contains(words);
    }

    /// The next request, which must come.
    static ConnectionIdentifier take(ConnectionListener listener) throws VerbsException {
        return requireNonNull(listener.awaitRequest(TIMEOUT), "no request came");
    }

    static InetSocketAddress loopback(int port) {
        return address("127.0.0.1", port);
    }

    static InetSocketAddress address(String host, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
