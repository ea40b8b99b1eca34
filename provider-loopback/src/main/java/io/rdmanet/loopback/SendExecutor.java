package io.rdmanet.loopback;

/// What executes the requests of one send queue, one at a time: towards the one peer of a
/// connection, or towards whomever each datagram names. All calls are made by the holder of the
/// execution right.
sealed interface SendExecutor permits SendEngine, DatagramEngine {
    /// Whether there is anybody to send to. Asked once before a run of requests.
    boolean isReachable();

    /// Executes a request.
    ///
    /// @return a completion status, or the negative reason why it must wait ([RetryTimer])
    int execute(SendRequests requests, int index);

    /// Executes the first requests of a prepared chain a shorter way, if they have one. All of them
    /// succeed; the next is for [#execute].
    ///
    /// @return how many
    int executeShort(SendRequests requests, int first, int count);

    /// The code of the time between two tries while a peer has no receive posted.
    int minRnrTimer();

    /// Wakes whoever sleeps and was sent something since the last call.
    void announce();
}
