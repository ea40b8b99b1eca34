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
    /// What both directions come to: sums, but this end's iterations.
    public BandwidthReport plus(BandwidthReport peer) {
        return new BandwidthReport(
                size,
                iterations,
                peakMibps + peer.peakMibps,
                averageMibps + peer.averageMibps,
                mpps + peer.mpps);
    }
}
