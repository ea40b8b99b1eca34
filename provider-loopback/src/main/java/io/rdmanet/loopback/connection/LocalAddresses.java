package io.rdmanet.loopback.connection;

import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/// Which addresses are this machine's. IPv4-mapped IPv6 addresses need no care: Java turns them
/// into IPv4 addresses when they are made.
final class LocalAddresses {
    static final int FIRST_EPHEMERAL_PORT = 49_152;
    static final int LAST_PORT = 65_535;

    private LocalAddresses() {}

    /// Refuses what is not resolved, or neither the wildcard nor an address of this machine.
    ///
    /// @param verb what the caller was asked for
    static void require(InetSocketAddress address, String verb) throws ConnectionException {
        if (address.isUnresolved()) {
            throw new ConnectionException(
                    verb,
                    Reason.ADDRESS_ERROR,
                    "the name " + address.getHostString() + " is unknown");
        }
        InetAddress host = address.getAddress();
        if (!host.isAnyLocalAddress() && !isOfThisMachine(host)) {
            throw new ConnectionException(
                    verb,
                    Reason.ADDRESS_ERROR,
                    host.getHostAddress()
                            + " is not an address of this machine, and the loopback device reaches"
                            + " only this machine; use 127.0.0.1, or another provider");
        }
    }

    private static boolean isOfThisMachine(InetAddress host) {
        try {
            return host.isLoopbackAddress() || NetworkInterface.getByInetAddress(host) != null;
        } catch (SocketException interfacesUnknown) {
            return false;
        }
    }

    /// The address a client reaches: the wildcard stands for this machine, as with TCP.
    static InetSocketAddress destination(InetSocketAddress given) {
        return given.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(loopbackLike(given.getAddress()), given.getPort())
                : given;
    }

    /// The address a client has: the one it reaches unless it asked for another, as with TCP; and a
    /// port of its own unless it asked for one. The port is a name only; nothing is bound to it.
    static InetSocketAddress source(InetSocketAddress destination, InetSocketAddress asked) {
        InetAddress host =
                asked.getAddress().isAnyLocalAddress()
                        ? destination.getAddress()
                        : asked.getAddress();
        int port = asked.getPort();
        while (port == 0 || (asked.getPort() == 0 && port == destination.getPort())) {
            port = randomPort();
        }
        return new InetSocketAddress(host, port);
    }

    static int randomPort() {
        return ThreadLocalRandom.current().nextInt(FIRST_EPHEMERAL_PORT, LAST_PORT + 1);
    }

    private static InetAddress loopbackLike(InetAddress wildcard) {
        byte[] bytes = wildcard.getAddress();
        bytes[bytes.length - 1] = 1;
        if (bytes.length == 4) {
            bytes[0] = 127;
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new AssertionError("the length is right", impossible);
        }
    }
}
