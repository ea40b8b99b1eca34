package io.rdmanet.tck;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.VerbsException;
import java.util.Comparator;
import java.util.Set;

/// The way from a device's first port to itself, for queue pairs connected by modifying them.
///
/// @param mtu the payload of one packet
record Path(AddressVector vector, PathMtu mtu) {
    private static final int PORT = 1;

    /// Prefers a RoCE v2 GID with a network interface behind it: others may lead nowhere.
    static Path toItself(Context context) throws VerbsException {
        PortAttributes port = context.queryPort(PORT);
        GidEntry gid =
                context.gidTable(PORT).stream()
                        .min(
                                Comparator.comparing(
                                                (GidEntry entry) -> entry.type() != GidType.ROCE_V2)
                                        .thenComparing(entry -> entry.networkDevice().isEmpty())
                                        .thenComparing(entry -> !entry.gid().isIpv4Mapped())
                                        .thenComparing(entry -> entry.gid().isLinkLocal())
                                        .thenComparingInt(GidEntry::index))
                        .orElseThrow(() -> new AssertionError("port 1 has no GID"));
        AddressVector vector =
                new AddressVector(
                        PORT,
                        gid.gid(),
                        gid.index(),
                        port.localIdentifier(),
                        AddressVector.DEFAULT_HOP_LIMIT,
                        0,
                        0);
        return new Path(vector, port.activeMtu());
    }

    QueuePairAttributes toInit(Set<AccessFlag> access) {
        return QueuePairAttributes.toInit(PORT, access);
    }

    QueuePairAttributes toReadyToReceive(int destination, int packetSequence) {
        return QueuePairAttributes.toReadyToReceive(vector, mtu, destination, packetSequence);
    }
}
