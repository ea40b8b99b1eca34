package io.rdmanet.verbs;

import static java.util.Objects.requireNonNull;

/// The way to a peer's port (`struct ibv_ah_attr`).
///
/// @param portNumber the local port, from 1
/// @param destinationGid the peer's GID
/// @param sourceGidIndex the index of the local GID to send from
/// @param destinationLocalIdentifier the peer's LID, 0 on RoCE
/// @param hopLimit 1 to 255; 64 unless there is a reason
/// @param trafficClass 0 unless there is a reason
/// @param serviceLevel 0 to 15; 0 unless there is a reason
public record AddressVector(
        int portNumber,
        GlobalIdentifier destinationGid,
        int sourceGidIndex,
        int destinationLocalIdentifier,
        int hopLimit,
        int trafficClass,
        int serviceLevel) {
    /// The hop limit to use unless there is a reason for another.
    public static final int DEFAULT_HOP_LIMIT = 64;

    public AddressVector {
        requireNonNull(destinationGid, "destinationGid");
    }

    /// A way with the usual hop limit, traffic class and service level.
    public static AddressVector to(
            GlobalIdentifier destinationGid, int portNumber, int sourceGidIndex) {
        return new AddressVector(
                portNumber, destinationGid, sourceGidIndex, 0, DEFAULT_HOP_LIMIT, 0, 0);
    }
}
