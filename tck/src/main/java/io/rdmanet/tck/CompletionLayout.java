package io.rdmanet.tck;

/// Where one end's sends and receives complete.
enum CompletionLayout {
    /// In a queue each.
    SEPARATE,
    /// In a queue each; that of the receives reports to a completion channel.
    SEPARATE_WITH_CHANNEL,
    /// In one queue.
    MIXED,
    /// In one queue, which reports to a completion channel.
    MIXED_WITH_CHANNEL;

    boolean hasChannel() {
        return this == SEPARATE_WITH_CHANNEL || this == MIXED_WITH_CHANNEL;
    }

    boolean isMixed() {
        return this == MIXED || this == MIXED_WITH_CHANNEL;
    }
}
