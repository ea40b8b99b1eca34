package io.rdmanet.ffm.c;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// `struct rdma_cm_id` (rdma/rdma_cma.h), as far as it is read here. librdmacm allocates it, and
/// fills it in as the connection comes about.
///
/// ```
///  0        8         16        24       32               160              288
/// +--------+---------+---------+--------+----------------+----------------+--- ..
/// | verbs  | channel | context | qp     | route.addr.src | route.addr.dst |
/// +--------+---------+---------+--------+----------------+----------------+--- ..
///  .. 344      348        349
/// .. +--------+----------+----------- ..
///    | ps     | port_num |  used by librdmacm's synchronous calls only
/// .. +--------+----------+----------- ..
/// ```
public final class CommunicationIdentifierDescriptor {
    public static final int VERBS = 0;
    public static final int SOURCE = 32;
    public static final int DESTINATION = 160;
    public static final int PORT_NUMBER = 348;

    private CommunicationIdentifierDescriptor() {}

    /// The device (`struct ibv_context *`) that it is bound to, or 0.
    public static long verbs(long identifier) {
        return NativeMemory.longAt(identifier + VERBS);
    }

    /// The device's port that it is bound to, or 0.
    public static int portNumber(long identifier) {
        return NativeMemory.unsignedByteAt(identifier + PORT_NUMBER);
    }

    /// This end's address (`rdma_get_local_addr`, which is inline), or null.
    public static @Nullable InetSocketAddress localAddress(long identifier) {
        return SocketAddressDescriptor.get(identifier + SOURCE);
    }

    /// The peer's address (`rdma_get_peer_addr`, which is inline), or null.
    public static @Nullable InetSocketAddress remoteAddress(long identifier) {
        return SocketAddressDescriptor.get(identifier + DESTINATION);
    }
}
