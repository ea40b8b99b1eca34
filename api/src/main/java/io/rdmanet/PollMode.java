package io.rdmanet;

/// How a thread waits for a completion.
public enum PollMode {
    /// Polls without pause: the lowest latency, a whole core.
    BUSY,
    /// Sleeps until the device wakes it: no processor time while idle.
    EVENT,
    /// Polls for about 20 microseconds, then sleeps.
    ADAPTIVE
}
