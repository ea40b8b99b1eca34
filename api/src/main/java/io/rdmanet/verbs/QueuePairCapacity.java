package io.rdmanet.verbs;

/// What the queues of a queue pair hold (`struct ibv_qp_cap`).
///
/// @param maxSends sends that can be outstanding, 0 and more
/// @param maxReceives receives that can be outstanding, 0 and more
/// @param maxSendScatterGather elements per send, 0 and more
/// @param maxReceiveScatterGather elements per receive, 0 and more
/// @param maxInlineData bytes of inline data per send, 0 and more
public record QueuePairCapacity(
        int maxSends,
        int maxReceives,
        int maxSendScatterGather,
        int maxReceiveScatterGather,
        int maxInlineData) {
    public QueuePairCapacity {
        requireNotNegative(maxSends, "maxSends");
        requireNotNegative(maxReceives, "maxReceives");
        requireNotNegative(maxSendScatterGather, "maxSendScatterGather");
        requireNotNegative(maxReceiveScatterGather, "maxReceiveScatterGather");
        requireNotNegative(maxInlineData, "maxInlineData");
    }

    /// Queues with one element per request and no inline data.
    public static QueuePairCapacity of(int maxSends, int maxReceives) {
        return new QueuePairCapacity(maxSends, maxReceives, 1, 1, 0);
    }

    private static void requireNotNegative(int value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is negative: " + value);
        }
    }
}
