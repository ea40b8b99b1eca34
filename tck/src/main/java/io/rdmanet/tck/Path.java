package io.rdmanet.tck;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.VerbsException;
import java.util.Comparator;
import java.util.Set;

/// The way from a device's first port to another's or to itself, for queue pairs connected by
/// modifying them.
///
/// @param mtu the payload of one packet
record Path(AddressVector vector, PathMtu mtu) {
    private static final int PORT = 1;

    static Path toItself(Context context) throws VerbsException {
        return between(context, context);
    }

    static Path between(Context from, Context to) throws VerbsException {
        PortAttributes destination = to.queryPort(PORT);
        AddressVector vector =
                new AddressVector(
                        PORT,
                        gid(to).gid(),
                        gid(from).index(),
                        destination.localIdentifier(),
                        AddressVector.DEFAULT_HOP_LIMIT,
                        0,
                        0);
        return new Path(
                vector, PathMtu.min(from.queryPort(PORT).activeMtu(), destination.activeMtu()));
    }

    /// Prefers a RoCE v2 GID with a network interface behind it: others may lead nowhere.
    private static GidEntry gid(Context context) throws VerbsException {
        return context.gidTable(PORT).stream()
                .min(
                        Comparator.comparing((GidEntry entry) -> entry.type() != GidType.ROCE_V2)
                                .thenComparing(entry -> entry.networkDevice().isEmpty())
                                .thenComparing(entry -> !entry.gid().isIpv4Mapped())
                                .thenComparing(entry -> entry.gid().isLinkLocal())
                                .thenComparingInt(GidEntry::index))
                .orElseThrow(() -> new AssertionError("port 1 has no GID"));
    }

    /// The way from the same port to another.
    Path to(GlobalIdentifier gid) {
        AddressVector changed =
                new AddressVector(
                        vector.portNumber(),
                        gid,
                        vector.sourceGidIndex(),
                        vector.destinationLocalIdentifier(),
                        vector.hopLimit(),
                        vector.trafficClass(),
                        vector.serviceLevel());
        return new Path(changed, mtu);
    }

    QueuePairAttributes toInit(Set<AccessFlag> access) {
        return QueuePairAttributes.toInit(PORT, access);
    }

    QueuePairAttributes toReadyToReceive(int destination, int packetSequence) {
        return QueuePairAttributes.toReadyToReceive(vector, mtu, destination, packetSequence);
    }
}
