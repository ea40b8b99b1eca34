package io.rdmanet;

/// Where the time of a connection went since it was opened, in nanoseconds and counts. All zero
/// unless [ConnOptions#probesTime()] or [RawOptions#probesTime()].
///
/// @param workRequests work requests posted, sends and receives
/// @param postNanos time in posting them
/// @param pollNanos time in polls of completion queues that found something; those that found
///   nothing are part of the waits
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

    /// Whether the environment asks for measuring, where a program says nothing.
    static boolean isAskedForByEnvironment() {
        return "1".equals(System.getenv("RDMANET_PROBE"));
    }

    /// A time for each work request.
    ///
    /// @param nanos one of the times
    /// @return nanoseconds; 0 if there was no work request
    public double perWorkRequest(long nanos) {
        return workRequests == 0 ? 0 : (double) nanos / workRequests;
    }
}
