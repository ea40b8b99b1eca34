package io.rdmanet.loopback.connection;

import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import java.net.InetSocketAddress;

/// The words for what this device tells by exceptions and records, when something goes wrong
/// between two ends.
final class LoopbackConnectionFailure {
    private LoopbackConnectionFailure() {}

    static ConnectionException of(String verb, Reason reason, String detail, Throwable cause) {
        ConnectionException exception = new ConnectionException(verb, reason, detail);
        exception.initCause(cause);
        return exception;
    }

    static ConnectionException nobodyListens(InetSocketAddress remote, Throwable cause) {
        return of(
                "rdma_connect",
                Reason.REJECTED,
                "nobody listens on "
                        + AddressText.describe(remote)
                        + " with the loopback provider ("
                        + cause.getMessage()
                        + "); start the server first, as the same user",
                cause);
    }

    static ConnectionException peerGone(String verb, InetSocketAddress remote, Throwable cause) {
        ConnectionException exception =
                ConnectionFailure.peerGone(verb, remote, String.valueOf(cause.getMessage()));
        exception.initCause(cause);
        return exception;
    }

    /// A rejection's reason, with the private data that came with it.
    static ConnectionException rejected(InetSocketAddress remote, ConnectionRecord reply) {
        String peer = AddressText.describe(remote);
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
                                    + AddressText.describe(reply.source())
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
}
