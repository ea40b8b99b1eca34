package io.rdmanet.disni;

import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;

/// The words for what DiSNI tells by exceptions and events, when something goes wrong between two
/// ends. It loses why: an event has no status here.
final class DisniConnectionFailure {
    private static final String SHOW_DEVICES =
            "`rdma link` shows the devices and their network interfaces";

    private DisniConnectionFailure() {}

    /// Binding or listening was refused.
    static VerbsException notListening(
            String verb, IOException failure, InetSocketAddress address) {
        int errno = DisniFailure.errno(failure);
        return switch (errno) {
            case ErrorNumber.EADDRINUSE ->
                    because(
                            verb,
                            Reason.ADDRESS_IN_USE,
                            AddressText.describe(address)
                                    + " has a listener already; stop it, or take another port",
                            failure);
            case ErrorNumber.EADDRNOTAVAIL, ErrorNumber.ENODEV ->
                    because(
                            verb,
                            Reason.ADDRESS_ERROR,
                            "no RDMA device of this machine owns "
                                    + AddressText.describe(address)
                                    + "; "
                                    + SHOW_DEVICES,
                            failure);
            default ->
                    DisniFailure.of(verb, failure, "listening at " + AddressText.describe(address));
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
        String peer = AddressText.describe(remote);
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
        String peer = AddressText.describe(remote);
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
                            ? ConnectionFailure.peerGone(verb, remote, event.describe())
                            : new ConnectionException(
                                    verb,
                                    Reason.REJECTED,
                                    "by "
                                            + peer
                                            + ": nobody listens there, or the listener said no"
                                            + told);
            case UNREACHABLE ->
                    isAccepting
                            ? ConnectionFailure.peerGone(verb, remote, event.describe())
                            : ConnectionFailure.silentPeer(verb, remote, event.describe());
            case DISCONNECTED -> ConnectionFailure.peerGone(verb, remote, event.describe());
            case DEVICE_REMOVAL -> ConnectionFailure.removedDevice(verb, remote, event.describe());
            default -> ConnectionFailure.notConnected(verb, remote, event.describe());
        };
    }
}
