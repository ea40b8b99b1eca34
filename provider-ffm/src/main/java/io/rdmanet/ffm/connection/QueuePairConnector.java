package io.rdmanet.ffm.connection;

import static io.rdmanet.ffm.c.NativeMemory.intAt;
import static io.rdmanet.ffm.c.NativeMemory.unsignedByteAt;
import static io.rdmanet.ffm.c.NativeMemory.unsignedShortAt;

import io.rdmanet.ffm.c.AddressVectorDescriptor;
import io.rdmanet.ffm.c.Librdmacm;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.QueuePairAttributesDescriptor;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.provider.ConnectionFailure;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.EnumSet;

/// A queue pair's way from RESET to READY_TO_SEND, by what librdmacm has agreed upon with the peer:
/// path, queue pair number, packet sequence numbers. How long and how often to try is this end's
/// own business.
final class QueuePairConnector {
    private static final String VERB = "rdma_init_qp_attr";

    /// The timeout exponent that means none.
    private static final int FOR_EVER = 0;

    private final CommunicationIdentifier identifier;
    private final InetSocketAddress remote;

    QueuePairConnector(CommunicationIdentifier identifier, InetSocketAddress remote) {
        this.identifier = identifier;
        this.remote = remote;
    }

    /// Whether a request still waits for an answer: nothing else tells before it is answered.
    boolean isPeerThere() throws VerbsException {
        try {
            QueuePairAttributes _ = agreed(QueuePairState.INIT);
            return true;
        } catch (VerbsException e) {
            if (tellsOfAnEnd(e)) {
                return false;
            }
            throw e;
        }
    }

    /// RESET to INIT, where receives can be posted.
    ///
    /// @throws ConnectionException if the peer has gone meanwhile, or the device refuses
    void initialise(QueuePair queuePair) throws VerbsException {
        try {
            queuePair.modify(agreed(QueuePairState.INIT));
        } catch (VerbsException e) {
            throw explained("rdma_create_qp", e);
        }
    }

    /// INIT to READY_TO_SEND.
    ///
    /// @throws ConnectionException if the peer has gone meanwhile, or the device refuses
    void connect(String verb, QueuePair queuePair, ConnectionParameters parameters)
            throws VerbsException {
        try {
            queuePair.modify(
                    atMost(
                            agreed(QueuePairState.READY_TO_RECEIVE),
                            Attribute.MAX_DESTINATION_READ_ATOMIC,
                            parameters.responderResources()));
            QueuePairAttributes ready = agreed(QueuePairState.READY_TO_SEND);
            queuePair.modify(
                    atMost(ready, Attribute.MAX_READ_ATOMIC, parameters.initiatorDepth())
                            .with(Attribute.TIMEOUT, timeout(ready))
                            .with(Attribute.RETRY_COUNT, parameters.retryCount())
                            .with(Attribute.RNR_RETRY_COUNT, parameters.rnrRetryCount()));
        } catch (VerbsException e) {
            throw explained(verb, e);
        }
    }

    /// On RoCE the kernel waits two seconds and more for each acknowledgement (exponent 19): a peer
    /// that was cut off would be missed only after a quarter of a minute.
    private static int timeout(QueuePairAttributes ready) {
        int agreed = ready.number(Attribute.TIMEOUT);
        return agreed == FOR_EVER
                ? QueuePairAttributes.DEFAULT_TIMEOUT_EXPONENT
                : Math.min(agreed, QueuePairAttributes.DEFAULT_TIMEOUT_EXPONENT);
    }

    private ConnectionException explained(String verb, VerbsException e) {
        ConnectionException failure =
                tellsOfAnEnd(e)
                        ? ConnectionFailure.peerGone(verb, remote, "" + e.getMessage())
                        : new ConnectionException(
                                verb,
                                Reason.CONNECT_ERROR,
                                "with " + AddressText.describe(remote) + ": " + e.getMessage());
        failure.initCause(e);
        return failure;
    }

    /// The connection is in a state where there is nothing to agree upon any more.
    private static boolean tellsOfAnEnd(VerbsException e) {
        return e.verb().equals(VERB) && e.errno() == ErrorNumber.EINVAL;
    }

    private static QueuePairAttributes atMost(
            QueuePairAttributes attributes, Attribute attribute, int limit) {
        return attributes.with(attribute, Math.min(attributes.number(attribute), limit));
    }

    /// What librdmacm wants the queue pair to be modified to.
    private QueuePairAttributes agreed(QueuePairState state) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long struct = arena.allocate(QueuePairAttributesDescriptor.SIZE, 8).address();
            long mask = arena.allocate(Integer.BYTES, Integer.BYTES).address();
            NativeMemory.setInt(struct + QueuePairAttributesDescriptor.STATE, state.code());
            long result =
                    identifier.call(VERB, id -> Librdmacm.rdma_init_qp_attr(id, struct, mask));
            if (Result.isFailure(result)) {
                throw new VerbsException(
                        VERB,
                        Result.errorNumber(result),
                        "asking for the way to " + state + " of " + identifier);
            }
            return switch (state) {
                case INIT -> toInit(struct);
                case READY_TO_RECEIVE -> toReadyToReceive(struct);
                default -> toReadyToSend(struct);
            };
        }
    }

    private static QueuePairAttributes toInit(long struct) {
        int port = unsignedByteAt(struct + QueuePairAttributesDescriptor.PORT_NUMBER);
        int key = unsignedShortAt(struct + QueuePairAttributesDescriptor.PARTITION_KEY_INDEX);
        return QueuePairAttributes.toInit(port, EnumSet.allOf(AccessFlag.class))
                .with(Attribute.PARTITION_KEY_INDEX, key);
    }

    /// The RNR timer stays our own: librdmacm's is the longest there is, 655 ms.
    private static QueuePairAttributes toReadyToReceive(long struct) {
        return QueuePairAttributes.toReadyToReceive(
                        AddressVectorDescriptor.get(
                                struct + QueuePairAttributesDescriptor.ADDRESS_VECTOR),
                        PathMtu.ofCode(intAt(struct + QueuePairAttributesDescriptor.PATH_MTU)),
                        intAt(struct + QueuePairAttributesDescriptor.DESTINATION_QUEUE_PAIR_NUMBER),
                        intAt(
                                struct
                                        + QueuePairAttributesDescriptor
                                                .RECEIVE_PACKET_SEQUENCE_NUMBER))
                .with(
                        Attribute.MAX_DESTINATION_READ_ATOMIC,
                        unsignedByteAt(
                                struct
                                        + QueuePairAttributesDescriptor
                                                .MAX_DESTINATION_READ_ATOMIC));
    }

    private static QueuePairAttributes toReadyToSend(long struct) {
        return QueuePairAttributes.toReadyToSend(
                        intAt(struct + QueuePairAttributesDescriptor.SEND_PACKET_SEQUENCE_NUMBER))
                .with(
                        Attribute.MAX_READ_ATOMIC,
                        unsignedByteAt(struct + QueuePairAttributesDescriptor.MAX_READ_ATOMIC));
    }
}
