package io.rdmanet.verbs;

import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import java.util.EnumSet;
import java.util.Set;

/// Which state may follow which, and what each step must be given (InfiniBand specification, 10.3.1
/// and tables 91 and following).
///
/// Providers ask it before they touch the device, so that every provider refuses the same things in
/// the same words.
public final class QueuePairTransition {
    private QueuePairTransition() {}

    /// Refuses what the specification does not allow.
    ///
    /// @param type the queue pair's transport
    /// @param from its state now
    /// @param attributes what it is to be changed to
    /// @throws IllegalStateException naming both states and the missing attribute
    public static void check(
            QueuePairType type, QueuePairState from, QueuePairAttributes attributes) {
        QueuePairState to = attributes.has(Attribute.STATE) ? attributes.state() : from;
        if (!isLegal(from, to)) {
            throw new IllegalStateException(
                    "modify_qp: a queue pair cannot go from " + from + " to " + to);
        }
        for (Attribute attribute : required(type, from, to)) {
            if (!attributes.has(attribute)) {
                throw new IllegalStateException(
                        "modify_qp: going from " + from + " to " + to + " needs " + attribute);
            }
        }
    }

    private static boolean isLegal(QueuePairState from, QueuePairState to) {
        return switch (to) {
            case RESET, ERROR -> true;
            case INIT -> from == QueuePairState.RESET || from == QueuePairState.INIT;
            case READY_TO_RECEIVE -> from == QueuePairState.INIT;
            case READY_TO_SEND ->
                    from != QueuePairState.RESET
                            && from != QueuePairState.INIT
                            && from != QueuePairState.ERROR;
            case SEND_QUEUE_DRAINED ->
                    from == QueuePairState.READY_TO_SEND
                            || from == QueuePairState.SEND_QUEUE_DRAINED;
            case SEND_QUEUE_ERROR -> false;
        };
    }

    private static Set<Attribute> required(
            QueuePairType type, QueuePairState from, QueuePairState to) {
        boolean isDatagram = type == QueuePairType.UNRELIABLE_DATAGRAM;
        boolean isReliable = type == QueuePairType.RELIABLE_CONNECTION;
        Set<Attribute> required = EnumSet.noneOf(Attribute.class);
        if (from == QueuePairState.RESET && to == QueuePairState.INIT) {
            required.add(Attribute.PARTITION_KEY_INDEX);
            required.add(Attribute.PORT_NUMBER);
            required.add(isDatagram ? Attribute.QUEUE_KEY : Attribute.ACCESS_FLAGS);
        } else if (from == QueuePairState.INIT && to == QueuePairState.READY_TO_RECEIVE) {
            if (!isDatagram) {
                required.add(Attribute.ADDRESS_VECTOR);
                required.add(Attribute.PATH_MTU);
                required.add(Attribute.DESTINATION_QUEUE_PAIR_NUMBER);
                required.add(Attribute.RECEIVE_PACKET_SEQUENCE_NUMBER);
            }
            if (isReliable) {
                required.add(Attribute.MAX_DESTINATION_READ_ATOMIC);
                required.add(Attribute.MIN_RNR_TIMER);
            }
        } else if (from == QueuePairState.READY_TO_RECEIVE && to == QueuePairState.READY_TO_SEND) {
            required.add(Attribute.SEND_PACKET_SEQUENCE_NUMBER);
            if (isReliable) {
                required.add(Attribute.TIMEOUT);
                required.add(Attribute.RETRY_COUNT);
                required.add(Attribute.RNR_RETRY_COUNT);
                required.add(Attribute.MAX_READ_ATOMIC);
            }
        }
        return required;
    }
}
