package io.rdmanet.bw.perftest.wire;

import io.rdmanet.verbs.GlobalIdentifier;

/// What one end tells of one of its queue pairs.
///
/// @param localIdentifier the port's LID, 0 on RoCE
/// @param outstandingReads RDMA READs it takes at once; 1 if none are to come
/// @param queuePairNumber its number, 24 bits
/// @param packetSequence the number of its first packet, 24 bits
/// @param remoteKey opens the memory at `address`
/// @param address where RDMA WRITE and READ of the peer go
/// @param gid the port's GID
/// @param sharedReceiveQueue 0 without one
public record KeyMessage(
        int localIdentifier,
        int outstandingReads,
        int queuePairNumber,
        int packetSequence,
        int remoteKey,
        long address,
        GlobalIdentifier gid,
        int sharedReceiveQueue) {}
