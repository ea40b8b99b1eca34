package io.rdmanet.internal.setup;

import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.DatagramChannel;

/// Socket addresses in words, and as they must be before they are used.
public final class Addresses {
    private Addresses() {}

    /// `10.0.0.1:18515`, `[fe80::1]:18515`, or `host:18515` for a name that was not resolved.
    public static String describe(SocketAddress address) {
        if (!(address instanceof InetSocketAddress internet)) {
            return String.valueOf(address);
        }
        InetAddress host = internet.getAddress();
        if (host == null) {
            return internet.getHostString() + ":" + internet.getPort();
        }
        String digits = host.getHostAddress();
        return (host instanceof Inet6Address ? "[" + digits + "]" : digits)
                + ":"
                + internet.getPort();
    }

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
