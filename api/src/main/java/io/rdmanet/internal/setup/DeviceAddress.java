package io.rdmanet.internal.setup;

import io.rdmanet.EndpointOptions;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The IP address by which rdma_cm reaches a device that was asked for by name.
///
/// rdma_cm knows addresses, not devices: the device that owns the local address is used. On RoCE a
/// port's GIDs are the IP addresses of its network interface, so binding to one of them is choosing
/// the device, its port and the GID.
final class DeviceAddress {
    private DeviceAddress() {}

    /// Where to bind, or null to leave the choice to rdma_cm: no device was asked for, or none of
    /// its GIDs is an interface's address. Whether the right device was found is checked later in
    /// any case.
    ///
    /// @param peer an address of the family that is needed; a wildcard stands for any
    /// @throws VerbsException if there is no such device, or the GID that was asked for is of the
    ///   other family
    static @Nullable InetSocketAddress find(
            VerbsProvider provider, EndpointOptions options, InetAddress peer)
            throws VerbsException {
        if (options.device().isEmpty()
                || peer.isLoopbackAddress()
                || !provider.capabilities().contains(Capability.GID_CHOICE)) {
            return null;
        }
        List<GidEntry> addresses = new ArrayList<>();
        String port = "port " + options.portNumber() + " of " + options.device();
        try (Context context = provider.open(options.device())) {
            for (GidEntry entry : context.gidTable(options.portNumber())) {
                boolean isAddress = !entry.networkDevice().isEmpty();
                if (isAddress && (peer.isAnyLocalAddress() || isOfFamily(entry, peer))) {
                    addresses.add(entry);
                } else if (entry.index() == options.gidIndex() && isAddress) {
                    throw otherFamily(entry, port, peer);
                }
            }
        }
        if (addresses.isEmpty()) {
            return null;
        }
        GidEntry chosen = GidChoice.choose(addresses, options.gidIndex(), port);
        return new InetSocketAddress(toAddress(chosen), 0);
    }

    private static boolean isOfFamily(GidEntry entry, InetAddress peer) {
        return entry.gid().isIpv4Mapped() != (peer instanceof Inet6Address);
    }

    private static VerbsException otherFamily(GidEntry entry, String port, InetAddress peer) {
        return new VerbsException(
                "choosing the GID",
                "index "
                        + entry.index()
                        + " of "
                        + port
                        + " is "
                        + GidChoice.describe(entry)
                        + ", which does not reach "
                        + peer.getHostAddress()
                        + ": choose one of the same family, or leave the GID index out");
    }

    /// Link-local addresses mean something only together with their interface.
    private static InetAddress toAddress(GidEntry entry) throws VerbsException {
        InetAddress address = entry.gid().toAddress();
        if (!entry.gid().isLinkLocal()) {
            return address;
        }
        try {
            return Inet6Address.getByAddress(
                    null, entry.gid().toBytes(), NetworkInterface.getByName(entry.networkDevice()));
        } catch (SocketException | UnknownHostException e) {
            throw new VerbsException(
                    "choosing the GID",
                    "no interface " + entry.networkDevice() + " for " + GidChoice.describe(entry),
                    e);
        }
    }
}
