package io.rdmanet.disni;

import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/// The words for what can go wrong between two ends. DiSNI loses why: an event has no status here.
final class ConnectionFailure {
    private static final String SHOW_DEVICES =
            "`rdma link` shows the devices and their network interfaces";

    private ConnectionFailure() {}

    /// Binding or listening was refused.
    static VerbsException notListening(
            String verb, IOException failure, InetSocketAddress address) {
        int errno = DisniFailure.errno(failure);
        return switch (errno) {
            case ErrorNumber.EADDRINUSE ->
                    because(
                            verb,
                            Reason.ADDRESS_IN_USE,
                            describe(address)
                                    + " has a listener already; stop it, or take another port",
                            failure);
            case ErrorNumber.EADDRNOTAVAIL, ErrorNumber.ENODEV ->
                    because(
                            verb,
                            Reason.ADDRESS_ERROR,
                            "no RDMA device of this machine owns "
                                    + describe(address)
                                    + "; "
                                    + SHOW_DEVICES,
                            failure);
            default -> DisniFailure.of(verb, failure, "listening at " + describe(address));
        };
    }

    /// A call on the way to `remote` was refused at once.
    ///
    /// @param otherwise the reason of error numbers without one of their own
    static VerbsException refused(
            String verb, IOException failure, InetSocketAddress remote, Reason otherwise) {
        if (failure instanceof VerbsException own) {
            return own;
        }
        String peer = describe(remote);
        return switch (DisniFailure.errno(failure)) {
            case ErrorNumber.EADDRNOTAVAIL, ErrorNumber.ENODEV ->
                    because(
                            verb,
                            Reason.ADDRESS_ERROR,
                            "no RDMA device of this machine reaches " + peer + "; " + SHOW_DEVICES,
                            failure);
            case ErrorNumber.ENETUNREACH ->
                    because(
                            verb,
                            Reason.ROUTE_ERROR,
                            "there is no route to " + peer + "; `ip route` shows them",
                            failure);
            case ErrorNumber.EHOSTUNREACH, ErrorNumber.ETIMEDOUT ->
                    because(
                            verb,
                            Reason.UNREACHABLE,
                            peer + " does not answer: is it up, and is the address right?",
                            failure);
            default -> because(verb, otherwise, "towards " + peer, failure);
        };
    }

    private static ConnectionException because(
            String verb, Reason reason, String detail, IOException failure) {
        ConnectionException exception =
                new ConnectionException(
                        verb, reason, detail + " (" + DisniFailure.text(failure) + ")");
        exception.initCause(failure);
        return exception;
    }

    /// An event that ends an attempt.
    ///
    /// @param isAccepting whether it is the peer that asked for the connection
    static ConnectionException of(
            String verb, CommunicationEvent event, InetSocketAddress remote, boolean isAccepting) {
        String peer = describe(remote);
        String told = " (" + event.describe() + ")";
        return switch (event.type()) {
            case ADDR_ERROR ->
                    new ConnectionException(
                            verb,
                            Reason.ADDRESS_ERROR,
                            "no RDMA device of this machine reaches "
                                    + peer
                                    + ", or it does not answer; "
                                    + SHOW_DEVICES
                                    + told);
            case ROUTE_ERROR ->
                    new ConnectionException(
                            verb,
                            Reason.ROUTE_ERROR,
                            "there is no route to " + peer + "; `ip route` shows them" + told);
            case REJECTED ->
                    isAccepting
                            ? peerGone(verb, remote, event.describe())
                            : new ConnectionException(
                                    verb,
                                    Reason.REJECTED,
                                    "by "
                                            + peer
                                            + ": nobody listens there, or the listener said no"
                                            + told);
            case UNREACHABLE ->
                    isAccepting
                            ? peerGone(verb, remote, event.describe())
                            : new ConnectionException(
                                    verb, Reason.UNREACHABLE, peer + " does not answer" + told);
            case DISCONNECTED -> peerGone(verb, remote, event.describe());
            case DEVICE_REMOVAL ->
                    new ConnectionException(
                            verb,
                            Reason.CONNECT_ERROR,
                            "the device was removed while connecting with " + peer + told);
            default ->
                    new ConnectionException(
                            verb,
                            Reason.CONNECT_ERROR,
                            "the connection with " + peer + " did not come about" + told);
        };
    }

    static ConnectionException peerGone(String verb, InetSocketAddress remote, String detail) {
        return new ConnectionException(
                verb,
                Reason.PEER_GONE,
                describe(remote) + " has gone before the connection stood (" + detail + ")");
    }

    static ConnectionException timedOut(
            String verb, InetSocketAddress remote, String what, long timeoutNanos) {
        return new ConnectionException(
                verb,
                Reason.TIMED_OUT,
                describe(remote)
                        + " has not "
                        + what
                        + " in "
                        + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                        + " ms");
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
