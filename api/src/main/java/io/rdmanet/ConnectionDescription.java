package io.rdmanet;

import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import org.jspecify.annotations.Nullable;

/// What a connection runs on: measured facts, for headers and reports. What a provider cannot tell
/// is null or -1.
///
/// @param provider the provider's name
/// @param providerReason why it was chosen
/// @param device the device's name
/// @param portNumber the device's port
/// @param linkLayer what packets travel on
/// @param setup how the two ends found each other
/// @param pathMtu the payload of one packet
/// @param gidIndex the index of the local GID
/// @param localGid the local GID
/// @param remoteGid the peer's GID
/// @param localQueuePair the local queue pair's number
/// @param remoteQueuePair the peer's queue pair's number, or -1
/// @param localPacketSequence the first packet sequence number sent, or -1
/// @param remotePacketSequence the first packet sequence number received, or -1
/// @param maxInlineData bytes of inline data per send
public record ConnectionDescription(
        String provider,
        String providerReason,
        String device,
        int portNumber,
        LinkLayer linkLayer,
        ConnectionSetup setup,
        @Nullable PathMtu pathMtu,
        int gidIndex,
        @Nullable GlobalIdentifier localGid,
        @Nullable GlobalIdentifier remoteGid,
        int localQueuePair,
        int remoteQueuePair,
        int localPacketSequence,
        int remotePacketSequence,
        int maxInlineData) {}
