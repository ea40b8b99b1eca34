package io.rdmanet.internal.provider;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// Socket addresses in words, for messages. Not only providers name them: the front door does so
/// before a provider has been asked.
public final class AddressText {
    private AddressText() {}

    /// `10.0.0.1:18515`, `[fe80::1]:18515`, or `host:18515` for a name that was not resolved: what
    /// can be given as an address again, without the slash that Java puts before it.
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
}
