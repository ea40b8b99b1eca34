package io.rdmanet.bw.run;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/// Socket addresses in words: what a user can give as SERVER and -p, without Java's slash.
public final class SocketText {
    private SocketText() {}

    /// `10.0.0.1:18515`, `[fe80::1]:18515`, or `host:18515` for a name that was not resolved.
    public static String of(InetSocketAddress address) {
        if (address.getAddress() == null) {
            return address.getHostString() + ":" + address.getPort();
        }
        String digits = address.getAddress().getHostAddress();
        if (!(address.getAddress() instanceof Inet6Address)) {
            return digits + ":" + address.getPort();
        }
        return "["
                + (address.getAddress().isAnyLocalAddress() ? "::" : digits)
                + "]:"
                + address.getPort();
    }
}
