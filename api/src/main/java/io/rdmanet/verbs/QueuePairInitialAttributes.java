package io.rdmanet.verbs;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/// What a queue pair is created with (`struct ibv_qp_init_attr`).
///
/// @param type its transport
/// @param sendCompletionQueue where its sends complete
/// @param receiveCompletionQueue where its receives complete; may be the same
/// @param sharedReceiveQueue where it takes receives from (of the same domain), or null to have its
///   own queue
/// @param capacity what its queues must hold; what it says of receives counts for nothing with a
///   shared receive queue
/// @param signalsAll whether every send is signaled, whatever its flags say
public record QueuePairInitialAttributes(
        QueuePairType type,
        CompletionQueue sendCompletionQueue,
        CompletionQueue receiveCompletionQueue,
        @Nullable SharedReceiveQueue sharedReceiveQueue,
        QueuePairCapacity capacity,
        boolean signalsAll) {
    public QueuePairInitialAttributes {
        requireNonNull(type, "type");
        requireNonNull(sendCompletionQueue, "sendCompletionQueue");
        requireNonNull(receiveCompletionQueue, "receiveCompletionQueue");
        requireNonNull(capacity, "capacity");
    }

    /// A reliable connection with its own receive queue, signaled by flag.
    public static QueuePairInitialAttributes reliable(
            CompletionQueue sendCompletionQueue,
            CompletionQueue receiveCompletionQueue,
            QueuePairCapacity capacity) {
        return new QueuePairInitialAttributes(
                QueuePairType.RELIABLE_CONNECTION,
                sendCompletionQueue,
                receiveCompletionQueue,
                null,
                capacity,
                false);
    }

    /// Unreliable datagrams with a receive queue of their own, signaled by flag.
    public static QueuePairInitialAttributes datagram(
            CompletionQueue sendCompletionQueue,
            CompletionQueue receiveCompletionQueue,
            QueuePairCapacity capacity) {
        return new QueuePairInitialAttributes(
                QueuePairType.UNRELIABLE_DATAGRAM,
                sendCompletionQueue,
                receiveCompletionQueue,
                null,
                capacity,
                false);
    }

    /// A copy that takes receives from a shared queue.
    public QueuePairInitialAttributes withSharedReceiveQueue(SharedReceiveQueue queue) {
        return new QueuePairInitialAttributes(
                type, sendCompletionQueue, receiveCompletionQueue, queue, capacity, signalsAll);
    }
}
