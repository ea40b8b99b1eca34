package io.rdmanet.internal.provider;

import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/// The words for what can go wrong between two ends, whatever device carries them. What a device or
/// its library says of a failure, each provider puts into words of its own.
public final class ConnectionFailure {
    private ConnectionFailure() {}

    /// The peer, which had asked for the connection or agreed to it, is no more.
    ///
    /// @param detail how that came to be known
    public static ConnectionException peerGone(
            String verb, InetSocketAddress remote, String detail) {
        return new ConnectionException(
                verb,
                Reason.PEER_GONE,
                AddressText.describe(remote)
                        + " has gone before the connection stood ("
                        + detail
                        + ")");
    }

    /// The peer has let the deadline pass.
    ///
    /// @param what what it has not done in that time: `answered the request`
    public static ConnectionException timedOut(
            String verb, InetSocketAddress remote, String what, long timeoutNanos) {
        return new ConnectionException(
                verb,
                Reason.TIMED_OUT,
                AddressText.describe(remote)
                        + " has not "
                        + what
                        + " in "
                        + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                        + " ms");
    }

    /// Nothing comes back from the peer.
    ///
    /// @param detail how that came to be known
    public static ConnectionException silentPeer(
            String verb, InetSocketAddress remote, String detail) {
        return new ConnectionException(
                verb,
                Reason.UNREACHABLE,
                AddressText.describe(remote) + " does not answer (" + detail + ")");
    }

    /// The own device was taken out while it connected.
    ///
    /// @param detail how that came to be known
    public static ConnectionException removedDevice(
            String verb, InetSocketAddress remote, String detail) {
        return new ConnectionException(
                verb,
                Reason.CONNECT_ERROR,
                "the device was removed while connecting with "
                        + AddressText.describe(remote)
                        + " ("
                        + detail
                        + ")");
    }

    /// There is no connection, for no reason of those above.
    ///
    /// @param detail what was told instead of it
    public static ConnectionException notConnected(
            String verb, InetSocketAddress remote, String detail) {
        return new ConnectionException(
                verb,
                Reason.CONNECT_ERROR,
                "the connection with "
                        + AddressText.describe(remote)
                        + " did not come about ("
                        + detail
                        + ")");
    }

    /// The program itself has closed what the call is on, before it or during it.
    public static VerbsException closed(String verb, Object what) {
        return new VerbsException(verb, what + " was closed");
    }

    /// Keeps the thread's interrupt.
    public static VerbsException interrupted(String verb, Object what) {
        Thread.currentThread().interrupt();
        return new VerbsException(verb, ErrorNumber.EINTR, "interrupted while waiting on " + what);
    }
}
