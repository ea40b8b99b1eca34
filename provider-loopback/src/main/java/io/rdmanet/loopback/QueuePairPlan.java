package io.rdmanet.loopback;

import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairType;
import org.jspecify.annotations.Nullable;

/// What stays the same in every life of a queue pair.
///
/// @param domain the number of its protection domain
/// @param capacity what its queues hold; no receives with a shared pool
/// @param sharedPool the pool of its shared receive queue, or null
/// @param hasChannel whether its receives complete in a queue that reports to a channel
record QueuePairPlan(
        int number,
        int domain,
        QueuePairType type,
        QueuePairCapacity capacity,
        @Nullable ReceivePool sharedPool,
        boolean signalsAll,
        boolean hasChannel) {

    boolean isDatagram() {
        return type == QueuePairType.UNRELIABLE_DATAGRAM;
    }

    /// The most receives that can have completed and not been polled.
    int maxReceiveCompletions() {
        return sharedPool == null ? capacity.maxReceives() : sharedPool.slots();
    }

    @Override
    public String toString() {
        return "queue pair 0x" + Integer.toHexString(number);
    }
}
