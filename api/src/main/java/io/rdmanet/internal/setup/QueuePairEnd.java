package io.rdmanet.internal.setup;

import static java.util.Objects.requireNonNull;

import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;

/// One end's queue pair and port: what the other end needs to reach it.
///
/// @param queuePairNumber the queue pair's number, 24 bits
/// @param packetSequence the number of the first packet it will send, 24 bits
/// @param gid the port's GID
/// @param gidIndex its index, which only messages use
/// @param gidType its type
/// @param localIdentifier the port's LID, 0 on RoCE
/// @param portNumber the port, from 1
/// @param activeMtu the port's MTU
/// @param linkLayer what the port's packets travel on
/// @param maxReadAtomic RDMA READs and atomics it serves at once, 0 to 255
public record QueuePairEnd(
        int queuePairNumber,
        int packetSequence,
        GlobalIdentifier gid,
        int gidIndex,
        GidType gidType,
        int localIdentifier,
        int portNumber,
        PathMtu activeMtu,
        LinkLayer linkLayer,
        int maxReadAtomic) {
    /// Numbers of queue pairs and packets have 24 bits.
    static final int MAX_24_BITS = 0xffffff;

    private static final int MAX_16_BITS = 0xffff;
    private static final int MAX_8_BITS = 0xff;

    public QueuePairEnd {
        requireNonNull(gid, "gid");
        requireNonNull(gidType, "gidType");
        requireNonNull(activeMtu, "activeMtu");
        requireNonNull(linkLayer, "linkLayer");
        requireRange(queuePairNumber, 0, MAX_24_BITS, "queuePairNumber");
        requireRange(packetSequence, 0, MAX_24_BITS, "packetSequence");
        requireRange(gidIndex, 0, MAX_16_BITS, "gidIndex");
        requireRange(localIdentifier, 0, MAX_16_BITS, "localIdentifier");
        requireRange(portNumber, 1, MAX_8_BITS, "portNumber");
        requireRange(maxReadAtomic, 0, MAX_8_BITS, "maxReadAtomic");
    }

    private static void requireRange(int value, int min, int max, String name) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + " must be " + min + " to " + max + ", is " + value);
        }
    }

    @Override
    public String toString() {
        return "queue pair 0x%06x, psn 0x%06x, GID index %d %s (%s), lid %d, mtu %d"
                .formatted(
                        queuePairNumber,
                        packetSequence,
                        gidIndex,
                        gid,
                        gidType,
                        localIdentifier,
                        activeMtu.bytes());
    }
}
