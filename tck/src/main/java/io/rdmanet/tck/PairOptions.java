package io.rdmanet.tck;

import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairCapacity;

/// What a [ConnectedPair] is made with; both ends alike.
///
/// @param completionCapacity entries of each completion queue, 0 for more than can ever complete
/// @param timeoutExponent as in [QueuePairAttributes]; the connection manager uses its own
record PairOptions(
        QueuePairCapacity capacity,
        int completionCapacity,
        CompletionLayout layout,
        boolean signalsAll,
        int retryCount,
        int timeoutExponent,
        int rnrRetryCount) {
    private static final int DEPTH = 64;

    static PairOptions defaults() {
        return new PairOptions(
                QueuePairCapacity.of(DEPTH, DEPTH),
                0,
                CompletionLayout.SEPARATE,
                false,
                QueuePairAttributes.DEFAULT_RETRY_COUNT,
                QueuePairAttributes.DEFAULT_TIMEOUT_EXPONENT,
                QueuePairAttributes.DEFAULT_RNR_RETRY_COUNT);
    }

    static PairOptions ofDepth(int sends, int receives) {
        return defaults().withCapacity(QueuePairCapacity.of(sends, receives));
    }

    PairOptions withCapacity(QueuePairCapacity other) {
        return new PairOptions(
                other,
                completionCapacity,
                layout,
                signalsAll,
                retryCount,
                timeoutExponent,
                rnrRetryCount);
    }

    PairOptions withScatterGather(int elements) {
        return withCapacity(
                new QueuePairCapacity(
                        capacity.maxSends(),
                        capacity.maxReceives(),
                        elements,
                        elements,
                        capacity.maxInlineData()));
    }

    PairOptions withInlineData(int bytes) {
        return withCapacity(
                new QueuePairCapacity(
                        capacity.maxSends(),
                        capacity.maxReceives(),
                        capacity.maxSendScatterGather(),
                        capacity.maxReceiveScatterGather(),
                        bytes));
    }

    PairOptions withCompletionCapacity(int entries) {
        return new PairOptions(
                capacity, entries, layout, signalsAll, retryCount, timeoutExponent, rnrRetryCount);
    }

    PairOptions withLayout(CompletionLayout other) {
        return new PairOptions(
                capacity,
                completionCapacity,
                other,
                signalsAll,
                retryCount,
                timeoutExponent,
                rnrRetryCount);
    }

    PairOptions signalingAll() {
        return new PairOptions(
                capacity,
                completionCapacity,
                layout,
                true,
                retryCount,
                timeoutExponent,
                rnrRetryCount);
    }

    PairOptions withRetries(int count, int exponent) {
        return new PairOptions(
                capacity, completionCapacity, layout, signalsAll, count, exponent, rnrRetryCount);
    }

    PairOptions withRnrRetryCount(int count) {
        return new PairOptions(
                capacity,
                completionCapacity,
                layout,
                signalsAll,
                retryCount,
                timeoutExponent,
                count);
    }

    /// Enough entries for everything that both queues hold, rounded up as devices do.
    int completionEntries() {
        return completionCapacity > 0
                ? completionCapacity
                : 2 * (capacity.maxSends() + capacity.maxReceives()) + 16;
    }
}
