package io.rdmanet.loopback.connection;

import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The words for what can go wrong between two ends.
final class ConnectionFailure {
    private ConnectionFailure() {}

    static ConnectionException of(
            String verb, Reason reason, String detail, @Nullable Throwable cause) {
        ConnectionException exception = new ConnectionException(verb, reason, detail);
        if (cause != null) {
            exception.initCause(cause);
        }
        return exception;
    }

    static ConnectionException nobodyListens(InetSocketAddress remote, Throwable cause) {
        return of(
                "rdma_connect",
                Reason.REJECTED,
                "nobody listens on "
                        + describe(remote)
                        + " with the loopback provider ("
                        + cause.getMessage()
                        + "); start the server first, as the same user",
                cause);
    }

    static ConnectionException peerGone(String verb, InetSocketAddress remote, Throwable cause) {
        return of(
                verb,
                Reason.PEER_GONE,
                describe(remote)
                        + " has gone before the connection stood ("
                        + cause.getMessage()
                        + ")",
                cause);
    }

    static ConnectionException timedOut(
            String verb, InetSocketAddress remote, String what, long timeoutNanos) {
        return of(
                verb,
                Reason.TIMED_OUT,
                describe(remote)
                        + " has not "
                        + what
                        + " in "
                        + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                        + " ms",
                null);
    }

    /// A rejection's reason, with the private data that came with it.
    static ConnectionException rejected(InetSocketAddress remote, ConnectionRecord reply) {
        String peer = describe(remote);
        String why =
                switch (reply.refusal()) {
                    case BY_PROGRAM -> "the program at " + peer + " refused";
                    case BACKLOG_FULL ->
                            "too many requests wait at "
                                    + peer
                                    + "; try again, or raise its backlog";
                    case OTHER_ADDRESS ->
                            "the listener on port "
                                    + remote.getPort()
                                    + " is bound to "
                                    + describe(reply.source())
                                    + ", not to "
                                    + peer
                                    + "; dial that address, or listen on 0.0.0.0";
                    case CLOSED -> "the listener or the request at " + peer + " was closed";
                    case OTHER_VERSION -> peer + " runs another release";
                    case TOO_MANY_HALF_OPEN ->
                            "too many clients of "
                                    + peer
                                    + " have connected without a request; try again";
                    case FAILED, NONE -> peer + " could not connect its queue pair; see its error";
                };
        return new ConnectionException("rdma_connect", Reason.REJECTED, why, reply.privateData());
    }

    static VerbsException closed(String verb, Object what) {
        return new VerbsException(verb, what + " was closed");
    }

    /// Keeps the thread's interrupt.
    static VerbsException interrupted(String verb, Object what) {
        Thread.currentThread().interrupt();
        return new VerbsException(verb, ErrorNumber.EINTR, "interrupted while waiting on " + what);
    }

    /// `127.0.0.1:18515`, without the name that Java puts before it.
    static String describe(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
