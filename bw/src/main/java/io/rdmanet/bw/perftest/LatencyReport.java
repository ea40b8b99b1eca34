package io.rdmanet.bw.perftest;

import java.util.Arrays;

/// What a ping-pong came to, computed as the C tools do: times of one way, which is half of a
/// round.
///
/// @param size bytes of each message
/// @param iterations rounds
/// @param min in microseconds, like all that follow
/// @param max the largest but one: so the C tools have it
/// @param typical the median
/// @param average of those that count
/// @param deviation the standard deviation
/// @param percentile99 99 in 100 were at most this
/// @param percentile999 999 in 1000
public record LatencyReport(
        int size,
        int iterations,
        double min,
        double max,
        double typical,
        double average,
        double deviation,
        double percentile99,
        double percentile999) {
    /// Differences that the C tools leave out at the upper end.
    private static final int LEFT_OUT = 2;

    private static final double NANOS_PER_MICROSECOND = 1000;

    /// Computes the figures.
    ///
    /// @param postedNanos when each message was posted, in order; at least 4
    static LatencyReport of(int size, long[] postedNanos) {
        int rounds = postedNanos.length;
        double[] deltas = new double[rounds - 1];
        for (int i = 0; i < deltas.length; i++) {
            deltas[i] = (postedNanos[i + 1] - postedNanos[i]) / 2.0 / NANOS_PER_MICROSECOND;
        }
        Arrays.sort(deltas);
        int counted = deltas.length - LEFT_OUT;
        double sum = 0;
        for (int i = 0; i < counted; i++) {
            sum += deltas[i];
        }
        double average = sum / counted;
        double squares = 0;
        for (int i = 0; i < counted; i++) {
            squares += (average - deltas[i]) * (average - deltas[i]);
        }
        double typical =
                counted % 2 == 1
                        ? deltas[counted / 2]
                        : (deltas[counted / 2] + deltas[counted / 2 - 1]) / 2;
        return new LatencyReport(
                size,
                rounds,
                deltas[0],
                deltas[counted],
                typical,
                average,
                Math.sqrt(squares / counted),
                deltas[(int) Math.ceil(0.99 * counted)],
                deltas[(int) Math.ceil(0.999 * counted)]);
    }
}
