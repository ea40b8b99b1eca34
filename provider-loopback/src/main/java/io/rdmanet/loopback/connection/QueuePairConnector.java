package io.rdmanet.loopback.connection;

import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.loopback.link.Instance;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.EnumSet;

/// A queue pair's way from RESET to READY_TO_SEND, as the connection manager leads it.
final class QueuePairConnector {
    static final int PORT_NUMBER = 1;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int PACKET_SEQUENCE_NUMBERS = 1 << 24;
    private static final int GID_INDEX = 0;

    private QueuePairConnector() {}

    static int randomPacketSequenceNumber() {
        return RANDOM.nextInt(PACKET_SEQUENCE_NUMBERS);
    }

    /// RESET to INIT, where receives can be posted.
    static void initialise(QueuePair queuePair) throws VerbsException {
        queuePair.modify(QueuePairAttributes.toInit(PORT_NUMBER, EnumSet.allOf(AccessFlag.class)));
    }

    /// INIT to READY_TO_SEND, towards the peer's queue pair.
    ///
    /// @param peer the peer's request or reply
    /// @param parameters this end's: retries are those of this end's sends
    /// @throws io.rdmanet.verbs.ConnectionException if the device refuses or the peer has gone
    static void connect(
            String verb,
            QueuePair own,
            int ownSequence,
            ConnectionRecord peer,
            InetSocketAddress remote,
            ConnectionParameters parameters)
            throws VerbsException {
        AddressVector path =
                AddressVector.to(Instance.gidOf(peer.instance()), PORT_NUMBER, GID_INDEX);
        int readsInFlight = Math.min(parameters.initiatorDepth(), peer.responderResources());
        try {
            own.modify(
                    QueuePairAttributes.toReadyToReceive(
                                    path,
                                    PathMtu.MTU_4096,
                                    peer.queuePairNumber(),
                                    peer.packetSequenceNumber())
                            .with(
                                    Attribute.MAX_DESTINATION_READ_ATOMIC,
                                    parameters.responderResources()));
            own.modify(
                    QueuePairAttributes.toReadyToSend(ownSequence)
                            .with(Attribute.RETRY_COUNT, parameters.retryCount())
                            .with(Attribute.RNR_RETRY_COUNT, parameters.rnrRetryCount())
                            .with(Attribute.MAX_READ_ATOMIC, readsInFlight));
        } catch (VerbsException e) {
            throw e.errno() == ErrorNumber.EHOSTUNREACH
                    ? LoopbackConnectionFailure.peerGone(verb, remote, e)
                    : LoopbackConnectionFailure.of(
                            verb,
                            Reason.CONNECT_ERROR,
                            "with " + AddressText.describe(remote) + ": " + e.getMessage(),
                            e);
        }
    }
}
