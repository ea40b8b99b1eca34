package io.rdmanet.ffm.c;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// `struct sockaddr_in` and `struct sockaddr_in6` (netinet/in.h). Port and address are in network
/// order, the rest in the machine's.
///
/// ```
///  0            2            4                 8                16
/// +------------+------------+-----------------+-----------------+
/// | sin_family | sin_port   | sin_addr        | zero            |
/// +------------+------------+-----------------+-----------------+
///  0            2            4                 8                24                28
/// +------------+------------+-----------------+----------------+-----------------+
/// | sin6_family| sin6_port  | sin6_flowinfo   | sin6_addr      | sin6_scope_id   |
/// +------------+------------+-----------------+----------------+-----------------+
/// ```
public final class SocketAddressDescriptor {
    /// Room for either (`struct sockaddr_storage`).
    public static final int STORAGE_SIZE = 128;

    public static final int FAMILY = 0;
    public static final int PORT = 2;
    public static final int IPV4_ADDRESS = 4;
    public static final int IPV4_SIZE = 16;
    public static final int IPV6_ADDRESS = 8;
    public static final int IPV6_SCOPE = 24;
    public static final int IPV6_SIZE = 28;

    /// `AF_INET` (bits/socket.h).
    public static final int AF_INET = 2;

    /// `AF_INET6` (bits/socket.h).
    public static final int AF_INET6 = 10;

    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private SocketAddressDescriptor() {}

    /// Writes a resolved address.
    ///
    /// @param descriptor [#STORAGE_SIZE] zeroed bytes
    public static void set(long descriptor, InetSocketAddress address) {
        InetAddress host = address.getAddress();
        if (host == null) {
            throw new IllegalArgumentException(address + " is not resolved");
        }
        NativeMemory.setShort(descriptor + PORT, swapped(address.getPort()));
        if (host instanceof Inet6Address ipv6) {
            NativeMemory.setShort(descriptor + FAMILY, AF_INET6);
            NativeMemory.setBytes(descriptor + IPV6_ADDRESS, ipv6.getAddress());
            NativeMemory.setInt(descriptor + IPV6_SCOPE, ipv6.getScopeId());
        } else {
            NativeMemory.setShort(descriptor + FAMILY, AF_INET);
            NativeMemory.setBytes(descriptor + IPV4_ADDRESS, host.getAddress());
        }
    }

    /// Reads an address; null if there is none, or of another family.
    public static @Nullable InetSocketAddress get(long descriptor) {
        return switch (NativeMemory.unsignedShortAt(descriptor + FAMILY)) {
            case AF_INET -> get(descriptor, IPV4_ADDRESS, IPV4_BYTES, 0);
            case AF_INET6 ->
                    get(
                            descriptor,
                            IPV6_ADDRESS,
                            IPV6_BYTES,
                            NativeMemory.intAt(descriptor + IPV6_SCOPE));
            default -> null;
        };
    }

    private static InetSocketAddress get(long descriptor, int offset, int length, int scope) {
        byte[] bytes = NativeMemory.bytesAt(descriptor + offset, length);
        int port = swapped(NativeMemory.unsignedShortAt(descriptor + PORT));
        try {
            return new InetSocketAddress(
                    scope == 0
                            ? InetAddress.getByAddress(bytes)
                            : Inet6Address.getByAddress(null, bytes, scope),
                    port);
        } catch (UnknownHostException wrongLength) {
            throw new AssertionError(wrongLength);
        }
    }

    /// Between the machine's order, which is little endian wherever libibverbs is known to us, and
    /// the network's.
    private static int swapped(int port) {
        return Short.toUnsignedInt(Short.reverseBytes((short) port));
    }
}
