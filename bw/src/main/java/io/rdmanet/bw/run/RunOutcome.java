package io.rdmanet.bw.run;

import io.rdmanet.ProbeReport;

/// What one run brought, seen from the end that reports it.
///
/// @param rate messages, bytes and time
/// @param peakMessagesPerSecond the best part of the run ([PeakMeter]), 0 where it is not measured
/// @param allocatedBytes by the running thread
/// @param collectionMillis garbage collection meanwhile
/// @param probe where the time went; all zero unless asked for
/// @param badMessages messages that arrived with wrong content or length
public record RunOutcome(
        Rate rate,
        double peakMessagesPerSecond,
        long allocatedBytes,
        long collectionMillis,
        ProbeReport probe,
        long badMessages) {
    /// Bytes allocated for each message.
    public double allocatedBytesPerMessage() {
        return rate.messages() == 0 ? 0 : (double) allocatedBytes / rate.messages();
    }
}
