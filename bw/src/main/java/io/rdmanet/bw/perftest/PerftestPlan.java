package io.rdmanet.bw.perftest;

import io.rdmanet.EndpointOptions;
import io.rdmanet.RawVerb;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// What is run against a C tool. Nothing of it is told to the peer, which must have the same.
///
/// @param address where to listen, or the server to connect to
/// @param isClient whether to connect
/// @param endpoint provider, device, port, GID and deadline
/// @param verb what each message is; SEND for latency
/// @param isLatency ping-pong, as ib_send_lat does, instead of bandwidth
/// @param sizes bytes of each message; several only as `-a` has them
/// @param runsAllSizes whether this is `-a`
/// @param iterations messages of each queue pair and size, or 0 to go by time
/// @param duration length of a run, or zero to go by iterations; whole seconds
/// @param queuePairs how many
/// @param transmitDepth sends of a queue pair in flight
/// @param isBidirectional whether both ends send
/// @param loops server: one client after another
public record PerftestPlan(
        InetSocketAddress address,
        boolean isClient,
        EndpointOptions endpoint,
        RawVerb verb,
        boolean isLatency,
        List<Integer> sizes,
        boolean runsAllSizes,
        int iterations,
        Duration duration,
        int queuePairs,
        int transmitDepth,
        boolean isBidirectional,
        boolean loops) {
    /// Fewer are refused by the C tools.
    public static final int MIN_ITERATIONS = 5;

    /// Receives that are posted for each queue pair at most, as the C tools do.
    private static final int RECEIVE_DEPTH = 512;

    /// No run is slower than this. The slowest of those recorded on an emulated processor (100
    /// messages, in the test resources) came to 190 messages a second (sbwb), and to 4.3 MiB/s
    /// where messages were long (wbw).
    private static final long SLOWEST_BYTES_PER_SECOND = 1 << 20;

    private static final long SLOWEST_MESSAGES_PER_SECOND = 100;

    public PerftestPlan {
        sizes = List.copyOf(sizes);
        if (sizes.isEmpty() || (iterations <= 0 && duration.isZero()) || queuePairs < 1) {
            throw new IllegalArgumentException("nothing to run");
        }
    }

    /// Whether runs end by time.
    boolean isByTime() {
        return !duration.isZero();
    }

    /// Bytes of the longest message.
    int largestSize() {
        return sizes.getLast();
    }

    /// Messages of one run, of all queue pairs.
    long messages() {
        return (long) iterations * queuePairs;
    }

    /// Whether this end sends, writes or reads.
    boolean isActive() {
        return isClient || isBidirectional || isLatency;
    }

    /// Whether this end takes SENDs.
    boolean isReceiver() {
        return verb == RawVerb.SEND && (!isClient || isBidirectional || isLatency);
    }

    /// Sends in flight of each queue pair.
    public int sendDepth() {
        if (isLatency) {
            return 1;
        }
        return isByTime() ? transmitDepth : Math.min(transmitDepth, iterations);
    }

    /// Receives posted for each queue pair.
    public int receiveDepth() {
        return isByTime() ? RECEIVE_DEPTH : Math.min(RECEIVE_DEPTH, iterations);
    }

    /// How long the target of a one-sided run may hear nothing: all of the run, at the slowest.
    Duration longestRun() {
        if (isByTime()) {
            return duration.plus(endpoint.timeout());
        }
        long seconds = 0;
        for (int size : sizes) {
            seconds += (long) ((double) messages() * size / SLOWEST_BYTES_PER_SECOND);
            seconds += messages() / SLOWEST_MESSAGES_PER_SECOND;
        }
        return endpoint.timeout().plusSeconds(seconds);
    }
}
