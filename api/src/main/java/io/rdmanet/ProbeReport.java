package io.rdmanet;

/// Where the time of a connection went since it was opened, in nanoseconds and counts. All zero
/// unless [ConnOptions#probesTime()].
///
/// @param workRequests work requests posted, sends and receives
/// @param postNanos time in posting them
/// @param pollNanos time in polling completion queues
/// @param creditWaitNanos time in which senders waited for credits
/// @param completionWaitNanos time in which senders waited for completions
/// @param receiveWaitNanos time in which receivers waited for messages
public record ProbeReport(
        long workRequests,
        long postNanos,
        long pollNanos,
        long creditWaitNanos,
        long completionWaitNanos,
        long receiveWaitNanos) {
    /// Nothing measured.
    public static final ProbeReport NONE = new ProbeReport(0, 0, 0, 0, 0, 0);
}
