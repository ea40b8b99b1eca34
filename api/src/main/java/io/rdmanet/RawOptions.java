package io.rdmanet;

import static java.util.Objects.requireNonNull;

/// How a [RawConn] works. Immutable. The dialling end decides; the listening end follows what it is
/// told, so it uses only [#endpoint()] and [#probesTime()].
///
/// @param endpoint provider, device, set-up and deadline
/// @param transmitDepth sends in flight at most, and receives that the peer keeps posted, 1 to
///   16384
/// @param maxMessageBytes the longest message, 1 B to 1 GiB
/// @param bufferCount buffers that the messages go round in, on each end, 1 to transmitDepth
/// @param probesTime whether to measure where this end's time goes ([RawConn#probe()])
public record RawOptions(
        EndpointOptions endpoint,
        int transmitDepth,
        int maxMessageBytes,
        int bufferCount,
        boolean probesTime) {
    /// The largest transmit depth.
    public static final int MAX_TRANSMIT_DEPTH = 16384;

    /// The longest message.
    public static final int MAX_MESSAGE_BYTES = 1 << 30;

    public RawOptions {
        requireNonNull(endpoint, "endpoint");
        requireRange(transmitDepth, MAX_TRANSMIT_DEPTH, "transmitDepth");
        requireRange(maxMessageBytes, MAX_MESSAGE_BYTES, "maxMessageBytes");
        requireRange(bufferCount, transmitDepth, "bufferCount");
    }

    /// 128 in flight, 64 KiB messages, 128 buffers. Time is measured if the environment says
    /// `RDMANET_PROBE=1`.
    public static RawOptions defaults() {
        return new RawOptions(
                EndpointOptions.defaults(),
                128,
                64 << 10,
                128,
                ProbeReport.isAskedForByEnvironment());
    }

    /// A copy with another endpoint.
    public RawOptions withEndpoint(EndpointOptions options) {
        return new RawOptions(options, transmitDepth, maxMessageBytes, bufferCount, probesTime);
    }

    /// A copy with another transmit depth and as many buffers.
    public RawOptions withTransmitDepth(int depth) {
        return new RawOptions(endpoint, depth, maxMessageBytes, depth, probesTime);
    }

    /// A copy with another longest message.
    public RawOptions withMaxMessageBytes(int bytes) {
        return new RawOptions(endpoint, transmitDepth, bytes, bufferCount, probesTime);
    }

    /// A copy with another number of buffers.
    public RawOptions withBufferCount(int count) {
        return new RawOptions(endpoint, transmitDepth, maxMessageBytes, count, probesTime);
    }

    /// A copy that measures where time goes, or does not.
    public RawOptions withProbesTime(boolean probes) {
        return new RawOptions(endpoint, transmitDepth, maxMessageBytes, bufferCount, probes);
    }

    private static void requireRange(int value, int max, String name) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(name + " must be 1 to " + max + ", is " + value);
        }
    }
}
