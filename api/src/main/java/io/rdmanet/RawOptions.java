package io.rdmanet;

import static java.util.Objects.requireNonNull;

/// How a [RawConn] works. Immutable. The dialling end decides; the listening end follows what it is
/// told, so it uses only [#endpoint()] and [#probesTime()].
///
/// @param endpoint provider, device, set-up and deadline
/// @param transmitDepth sends in flight at most, 1 to 16384
/// @param maxMessageBytes the longest message, 1 B to 1 GiB
/// @param bufferCount buffers that the messages go round in, on each end, 1 to transmitDepth
/// @param keepsMessages whether no message arrives in a buffer whose last one the [RawReceiver] has
///   yet to be shown. Takes as many buffers as the transmit depth: fewer are overwritten, whatever
///   this says. Where messages are kept the listening end has but transmitDepth + 2 receives
///   posted, and a sender outruns it as soon as it lags: a device acknowledges a message when it is
///   placed, not when anybody has seen it, and a sender that finds no receive pauses, on real
///   devices for a long time. Where they are not kept receives share buffers, and there are up to
///   four times as many, as the device allows and 16386 at most: better for who looks at no
///   contents
/// @param probesTime whether to measure where this end's time goes ([RawConn#probe()])
public record RawOptions(
        EndpointOptions endpoint,
        int transmitDepth,
        int maxMessageBytes,
        int bufferCount,
        boolean keepsMessages,
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

    /// 128 in flight, 64 KiB messages, 128 buffers, messages kept. Time is measured if the
    /// environment says `RDMANET_PROBE=1`.
    public static RawOptions defaults() {
        return new RawOptions(
                EndpointOptions.defaults(),
                128,
                64 << 10,
                128,
                true,
                ProbeReport.isAskedForByEnvironment());
    }

    /// A copy with another endpoint.
    public RawOptions withEndpoint(EndpointOptions options) {
        return new RawOptions(
                options, transmitDepth, maxMessageBytes, bufferCount, keepsMessages, probesTime);
    }

    /// A copy with another transmit depth and as many buffers.
    public RawOptions withTransmitDepth(int depth) {
        return new RawOptions(endpoint, depth, maxMessageBytes, depth, keepsMessages, probesTime);
    }

    /// A copy with another longest message.
    public RawOptions withMaxMessageBytes(int bytes) {
        return new RawOptions(
                endpoint, transmitDepth, bytes, bufferCount, keepsMessages, probesTime);
    }

    /// A copy with another number of buffers.
    public RawOptions withBufferCount(int count) {
        return new RawOptions(
                endpoint, transmitDepth, maxMessageBytes, count, keepsMessages, probesTime);
    }

    /// A copy that keeps messages until the [RawReceiver] was shown them, or does not.
    public RawOptions withKeepsMessages(boolean keeps) {
        return new RawOptions(
                endpoint, transmitDepth, maxMessageBytes, bufferCount, keeps, probesTime);
    }

    /// A copy that measures where time goes, or does not.
    public RawOptions withProbesTime(boolean probes) {
        return new RawOptions(
                endpoint, transmitDepth, maxMessageBytes, bufferCount, keepsMessages, probes);
    }

    private static void requireRange(int value, int max, String name) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(name + " must be 1 to " + max + ", is " + value);
        }
    }
}
