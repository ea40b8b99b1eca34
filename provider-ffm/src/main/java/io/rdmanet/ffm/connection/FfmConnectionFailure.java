package io.rdmanet.ffm.connection;

import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;

/// The words for what librdmacm tells by error numbers and events, when something goes wrong
/// between two ends.
final class FfmConnectionFailure {
    private static final String SHOW_DEVICES =
            "`rdma link` shows the devices and their network interfaces";

    private FfmConnectionFailure() {}

    /// Binding or listening was refused.
    static VerbsException notListening(String verb, int errno, InetSocketAddress address) {
        return switch (errno) {
            case ErrorNumber.EADDRINUSE ->
                    new ConnectionException(
                            verb,
                            Reason.ADDRESS_IN_USE,
                            AddressText.describe(address)
                                    + " has a listener already; stop it, or take another port"
                                    + numbered(errno));
            case ErrorNumber.EADDRNOTAVAIL, ErrorNumber.ENODEV ->
                    new ConnectionException(
                            verb,
                            Reason.ADDRESS_ERROR,
                            "no RDMA device of this machine owns "
                                    + AddressText.describe(address)
                                    + "; "
                                    + SHOW_DEVICES
                                    + numbered(errno));
            default ->
                    new VerbsException(
                            verb, errno, "listening at " + AddressText.describe(address));
        };
    }

    /// A call on the way to `remote` was refused at once.
    static ConnectionException refused(String verb, int errno, InetSocketAddress remote) {
        return ofErrorNumber(verb, errno, remote, Reason.CONNECT_ERROR);
    }

    /// A call on the way to `remote` was refused at once.
    ///
    /// @param otherwise the reason of error numbers without one of their own
    static ConnectionException ofErrorNumber(
            String verb, int errno, InetSocketAddress remote, Reason otherwise) {
        return ofErrorNumber(verb, errno, remote, otherwise, "");
    }

    private static ConnectionException ofErrorNumber(
            String verb, int errno, InetSocketAddress remote, Reason otherwise, String detail) {
        String peer = AddressText.describe(remote);
        String end = numbered(errno) + detail;
        return switch (errno) {
            case ErrorNumber.ENODEV ->
                    new ConnectionException(
                            verb,
                            Reason.ADDRESS_ERROR,
                            "no RDMA device of this machine reaches "
                                    + peer
                                    + "; "
                                    + SHOW_DEVICES
                                    + end);
            case ErrorNumber.EADDRNOTAVAIL ->
                    new ConnectionException(
                            verb,
                            Reason.ADDRESS_ERROR,
                            "the source address is not one of this machine, towards " + peer + end);
            case ErrorNumber.ENETUNREACH ->
                    new ConnectionException(
                            verb,
                            Reason.ROUTE_ERROR,
                            "there is no route to " + peer + "; `ip route` shows them" + end);
            case ErrorNumber.EHOSTUNREACH, ErrorNumber.ETIMEDOUT ->
                    new ConnectionException(
                            verb,
                            Reason.UNREACHABLE,
                            peer + " does not answer: is it up, and is the address right?" + end);
            default -> new ConnectionException(verb, otherwise, "towards " + peer + end);
        };
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
                    ofErrorNumber(verb, errno(event), remote, Reason.ADDRESS_ERROR, told);
            case ROUTE_ERROR -> ofErrorNumber(verb, errno(event), remote, Reason.ROUTE_ERROR, told);
            case REJECTED ->
                    isAccepting
                            ? ConnectionFailure.peerGone(verb, remote, event.describe())
                            : new ConnectionException(
                                    verb,
                                    Reason.REJECTED,
                                    "by " + peer + ": " + rejectionHint(event) + told,
                                    event.privateData());
            case UNREACHABLE ->
                    isAccepting
                            ? ConnectionFailure.peerGone(verb, remote, event.describe())
                            : ConnectionFailure.silentPeer(verb, remote, event.describe());
            case DISCONNECTED -> ConnectionFailure.peerGone(verb, remote, event.describe());
            case DEVICE_REMOVAL -> ConnectionFailure.removedDevice(verb, remote, event.describe());
            default -> ConnectionFailure.notConnected(verb, remote, event.describe());
        };
    }

    private static String rejectionHint(CommunicationEvent event) {
        return event.status() > 0
                ? RejectionReason.hint(event.status())
                : "the peer's machine refused";
    }

    /// An event's status with its name: an error number, or the reason of a rejection.
    static String describeStatus(CommunicationEvent event) {
        return event.type() == CommunicationEvent.Type.REJECTED && event.status() > 0
                ? RejectionReason.describe(event.status())
                : event.status() < 0
                        ? "-" + ErrorNumber.describe(-event.status())
                        : String.valueOf(event.status());
    }

    private static int errno(CommunicationEvent event) {
        return Math.abs(event.status());
    }

    private static String numbered(int errno) {
        return errno == VerbsException.NO_ERRNO ? "" : ": errno=" + ErrorNumber.describe(errno);
    }
}
