package io.rdmanet.bw.command;

import io.rdmanet.bw.run.RunFailedException;
import java.net.InetSocketAddress;

/// `SERVER[:PORT]` on the command line. An IPv6 address with a port stands in brackets.
///
/// @param host name or address
/// @param port 1 to 65535, or 0 if none was given
record ServerAddress(String host, int port) {
    private static final int MAX_PORT = 0xffff;

    /// @throws IllegalArgumentException if it is none
    static ServerAddress parse(String text) {
        String host = text;
        String port = "";
        int colon = text.lastIndexOf(':');
        if (text.startsWith("[")) {
            int bracket = text.indexOf(']');
            if (bracket < 0 || (bracket + 1 < text.length() && colon != bracket + 1)) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not SERVER[:PORT]; IPv6: [ADDRESS]:PORT");
            }
            host = text.substring(1, bracket);
            port = text.substring(Math.min(text.length(), bracket + 2));
        } else if (colon >= 0 && text.indexOf(':') == colon) {
            host = text.substring(0, colon);
            port = text.substring(colon + 1);
            if (port.isEmpty()) {
                throw new IllegalArgumentException("'" + text + "' has no port after the colon");
            }
        }
        if (host.isBlank()) {
            throw new IllegalArgumentException("'" + text + "' names no server");
        }
        return new ServerAddress(host, port.isEmpty() ? 0 : parsePort(port));
    }

    private static int parsePort(String text) {
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("'" + text + "' is not a port: 1 to " + MAX_PORT);
        }
        return port;
    }

    /// The address to connect to.
    ///
    /// @param otherwise the port if none was given
    InetSocketAddress resolve(int otherwise) throws RunFailedException {
        InetSocketAddress address = new InetSocketAddress(host, port == 0 ? otherwise : port);
        if (address.isUnresolved()) {
            throw new RunFailedException(
                    "unknown host " + host + ": no address has that name; try an IP address");
        }
        return address;
    }
}
