package io.rdmanet;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/// How a [Conn] works. Immutable; each `with` method returns a changed copy. The two ends need not
/// agree: each tells the other its own values when they connect.
///
/// @param endpoint provider, device, set-up and deadline
/// @param slotBytes payload of one frame, 64 B to 1 GiB; a longer message takes several
/// @param depth frames that may be on their way each way (the credit window), 1 to 16384
/// @param maxMessageBytes the longest message this end sends or takes, 1 and more
/// @param pollMode how threads wait
/// @param linger how long closing waits for the peer to take what was sent; zero does not wait
/// @param rnrRetryCount retries of the device when the peer has no receive posted, 0 to 7. Flow
///   control never lets that happen; tests prove it with 0
/// @param probesTime whether to measure where time goes ([Conn#probe()])
public record ConnOptions(
        EndpointOptions endpoint,
        int slotBytes,
        int depth,
        int maxMessageBytes,
        PollMode pollMode,
        Duration linger,
        int rnrRetryCount,
        boolean probesTime) {
    /// The smallest slot.
    public static final int MIN_SLOT_BYTES = 64;

    /// The largest slot.
    public static final int MAX_SLOT_BYTES = 1 << 30;

    /// The largest credit window; what fits the header's 16 bits with room for control.
    public static final int MAX_DEPTH = 16384;

    public ConnOptions {
        requireNonNull(endpoint, "endpoint");
        requireNonNull(pollMode, "pollMode");
        requireNonNull(linger, "linger");
        requireRange(slotBytes, MIN_SLOT_BYTES, MAX_SLOT_BYTES, "slotBytes");
        requireRange(depth, 1, MAX_DEPTH, "depth");
        requireRange(maxMessageBytes, 1, Integer.MAX_VALUE, "maxMessageBytes");
        requireRange(rnrRetryCount, 0, 7, "rnrRetryCount");
        if (linger.isNegative()) {
            throw new IllegalArgumentException("linger is negative: " + linger);
        }
    }

    /// 64 KiB slots, a window of 128, messages up to 64 MiB, adaptive polling, 5 s linger. Time is
    /// measured if the environment says `RDMANET_PROBE=1`.
    public static ConnOptions defaults() {
        return new ConnOptions(
                EndpointOptions.defaults(),
                64 << 10,
                128,
                64 << 20,
                PollMode.ADAPTIVE,
                Duration.ofSeconds(5),
                7,
                ProbeReport.isAskedForByEnvironment());
    }

    /// A copy with another endpoint.
    public ConnOptions withEndpoint(EndpointOptions options) {
        return new ConnOptions(
                options,
                slotBytes,
                depth,
                maxMessageBytes,
                pollMode,
                linger,
                rnrRetryCount,
                probesTime);
    }

    /// A copy with another slot size.
    public ConnOptions withSlotBytes(int bytes) {
        return new ConnOptions(
                endpoint,
                bytes,
                depth,
                maxMessageBytes,
                pollMode,
                linger,
                rnrRetryCount,
                probesTime);
    }

    /// A copy with another window.
    public ConnOptions withDepth(int frames) {
        return new ConnOptions(
                endpoint,
                slotBytes,
                frames,
                maxMessageBytes,
                pollMode,
                linger,
                rnrRetryCount,
                probesTime);
    }

    /// A copy with another cap on messages.
    public ConnOptions withMaxMessageBytes(int bytes) {
        return new ConnOptions(
                endpoint, slotBytes, depth, bytes, pollMode, linger, rnrRetryCount, probesTime);
    }

    /// A copy with another way of waiting.
    public ConnOptions withPollMode(PollMode mode) {
        return new ConnOptions(
                endpoint,
                slotBytes,
                depth,
                maxMessageBytes,
                mode,
                linger,
                rnrRetryCount,
                probesTime);
    }

    /// A copy with another linger time.
    public ConnOptions withLinger(Duration newLinger) {
        return new ConnOptions(
                endpoint,
                slotBytes,
                depth,
                maxMessageBytes,
                pollMode,
                newLinger,
                rnrRetryCount,
                probesTime);
    }

    /// A copy with another number of RNR retries.
    public ConnOptions withRnrRetryCount(int count) {
        return new ConnOptions(
                endpoint, slotBytes, depth, maxMessageBytes, pollMode, linger, count, probesTime);
    }

    /// A copy that measures where time goes, or does not.
    public ConnOptions withProbesTime(boolean probes) {
        return new ConnOptions(
                endpoint,
                slotBytes,
                depth,
                maxMessageBytes,
                pollMode,
                linger,
                rnrRetryCount,
                probes);
    }

    private static void requireRange(int value, int min, int max, String name) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + " must be " + min + " to " + max + ", is " + value);
        }
    }
}
