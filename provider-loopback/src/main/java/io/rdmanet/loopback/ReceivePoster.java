package io.rdmanet.loopback;

/// Where prepared receives are posted: a queue pair, or a queue that several share.
sealed interface ReceivePoster permits QueuePairWork, LoopbackSharedReceiveQueue {
    /// Posts a run of prepared receives as far as there is room.
    ///
    /// @return how many were accepted
    /// @throws IllegalStateException unless receives can be posted now; nothing was posted then
    int postReceives(LoopbackPostReceive receive, int first, int count);
}
