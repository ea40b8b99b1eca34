package io.rdmanet.bw.run;

/// What one run sends.
///
/// @param mode the tier
/// @param size bytes of each message, 1 and more
/// @param batch messages per call
/// @param count how many messages, or 0 to go by time
/// @param limitNanos how long, or 0 to go by count
/// @param index the run's number on its connection, from 0
/// @param seed of the payload
/// @param warmUp whether nobody wants to know the figures
/// @param verify whether payloads are written and checked
record RunSpec(
        Mode mode,
        int size,
        int batch,
        long count,
        long limitNanos,
        int index,
        long seed,
        boolean warmUp,
        boolean verify) {
    RunMonitor.Run monitored(long startNanos) {
        return new RunMonitor.Run(size, count, limitNanos, startNanos);
    }
}
