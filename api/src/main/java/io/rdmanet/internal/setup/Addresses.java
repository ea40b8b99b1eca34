package io.rdmanet.internal.setup;

import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;

/// Socket addresses as they must be before they are used.
final class Addresses {
    private Addresses() {}

    /// Refuses a name that has no address.
    static void requireResolved(InetSocketAddress address, String verb) throws ConnectionException {
        if (address.isUnresolved()) {
            throw new ConnectionException(
                    verb,
                    Reason.ADDRESS_ERROR,
                    "the host name " + address.getHostString() + " has no address: check it");
        }
    }

    /// The local address that traffic to a peer leaves from; the wildcard if there is no way to it,
    /// which whoever connects will be told. Sends nothing: for a datagram socket, connecting is
    /// asking the routing table.
    static InetAddress localTowards(InetSocketAddress peer) {
        InetAddress any = new InetSocketAddress(0).getAddress();
        if (peer.isUnresolved()) {
            return any;
        }
        try (DatagramChannel channel = DatagramChannel.open()) {
            // The route does not depend on the port, but 0 is refused.
            channel.connect(new InetSocketAddress(peer.getAddress(), Math.max(1, peer.getPort())));
            return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
        } catch (IOException noRoute) {
            return any;
        }
    }
}
