package io.rdmanet;

/// What one run of a raw sender brought.
///
/// @param messages messages received
/// @param bytes their length together
/// @param firstNanos `System.nanoTime()` when the first was seen, 0 if there was none
/// @param lastNanos `System.nanoTime()` when the last was seen, 0 if there was none
/// @param tag what the sender gave [RawConn#endRun(int)], or [#GOODBYE] if the sender is done
public record RawDrain(long messages, long bytes, long firstNanos, long lastNanos, int tag) {
    /// The sender closed the connection.
    public static final int GOODBYE = -1;
}
