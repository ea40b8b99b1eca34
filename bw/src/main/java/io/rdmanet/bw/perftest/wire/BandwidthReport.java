package io.rdmanet.bw.perftest.wire;

/// The five figures of a run, as the ends tell them to each other and print them.
///
/// @param size bytes of each message
/// @param iterations messages, of all queue pairs together
/// @param peakMibps the best part, in 2^20 bytes per second; 0 where it is not measured
/// @param averageMibps all of it
/// @param mpps 10^6 messages per second
public record BandwidthReport(
        long size, long iterations, double peakMibps, double averageMibps, double mpps) {
    /// Far less than between any two units, and more than rounding.
    private static final double UNIT_TOLERANCE = 0.01;

    /// What both directions come to: sums, but this end's iterations.
    public BandwidthReport plus(BandwidthReport peer) {
        return new BandwidthReport(
                size,
                iterations,
                peakMibps + peer.peakMibps,
                averageMibps + peer.averageMibps,
                mpps + peer.mpps);
    }

    /// Whether all figures are numbers that a run may have. What the serving end of a one-way run
    /// sends need not be.
    public boolean isPossible() {
        return iterations >= 0 && isFigure(peakMibps) && isFigure(averageMibps) && isFigure(mpps);
    }

    private static boolean isFigure(double value) {
        return value >= 0 && Double.isFinite(value);
    }

    /// Whether the average is in 2^20 bytes per second, as the rate of messages makes it.
    public boolean isInMebibytes() {
        double due = mpps * 1e6 * size / (1 << 20);
        return Math.abs(averageMibps - due) <= UNIT_TOLERANCE * due;
    }
}
