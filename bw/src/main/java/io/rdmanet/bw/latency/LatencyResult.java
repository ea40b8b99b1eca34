package io.rdmanet.bw.latency;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.PollMode;
import io.rdmanet.bw.run.Mode;
import org.HdrHistogram.Histogram;

/// What a latency measurement brought: what every report is made from.
///
/// @param connection what it ran on
/// @param mode the tier
/// @param size bytes of each message
/// @param batch messages of each round
/// @param pollMode how the client waited
/// @param rounds time of each round, there and back, in nanoseconds
/// @param badMessages messages that arrived wrong at this end, or answer one that did at the server
public record LatencyResult(
        ConnectionDescription connection,
        Mode mode,
        int size,
        int batch,
        PollMode pollMode,
        Histogram rounds,
        long badMessages) {
    private static final double NANOS_PER_MICROSECOND = 1000;

    /// Half of a round: what one way takes, in microseconds. So do all tools count.
    ///
    /// @param percentile 0 for the fastest, 100 for the slowest
    public double micros(double percentile) {
        long nanos =
                percentile == 0 ? rounds.getMinValue() : rounds.getValueAtPercentile(percentile);
        return nanos / 2.0 / NANOS_PER_MICROSECOND;
    }
}
