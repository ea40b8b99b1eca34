package io.rdmanet.bw.command;

import io.rdmanet.EndpointOptions;
import io.rdmanet.RawOptions;
import io.rdmanet.RawVerb;
import io.rdmanet.bw.perftest.Perftest;
import io.rdmanet.bw.perftest.PerftestPlan;
import io.rdmanet.bw.report.PerftestReport;
import io.rdmanet.bw.run.Buffers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/// The options of a run against a C tool, with that tool's own defaults.
///
/// @param commandLine where they were given, for error messages
/// @param verb what each message is
/// @param size bytes of each message, or null
/// @param runsAllSizes whether `-a` was given
/// @param count messages of a queue pair, or 0
/// @param duration of a run, or null
/// @param queuePairs how many
/// @param depth sends in flight, or null
/// @param isBidirectional whether both ends send
/// @param loops whether a server serves one client after another
record PerftestArguments(
        CommandLine commandLine,
        RawVerb verb,
        @Nullable Integer size,
        boolean runsAllSizes,
        long count,
        @Nullable Duration duration,
        int queuePairs,
        @Nullable Integer depth,
        boolean isBidirectional,
        boolean loops) {
    private static final int DEFAULT_SIZE = 64 << 10;
    private static final int DEFAULT_COUNT = 1000;
    private static final int DEFAULT_COUNT_OF_WRITES = 5000;
    private static final int DEFAULT_DEPTH = 128;
    private static final int MAX_QUEUE_PAIRS = 1024;
    private static final int LARGEST_OF_ALL = 8 << 20;

    /// Sizes of `-a`.
    static List<Integer> allSizes() {
        return IntStream.iterate(2, bytes -> bytes <= LARGEST_OF_ALL, bytes -> 2 * bytes)
                .boxed()
                .toList();
    }

    /// Runs it.
    ///
    /// @return the exit status
    int run(
            EndpointOptions endpoint,
            InetSocketAddress address,
            boolean isClient,
            Terminal terminal)
            throws IOException {
        PerftestPlan plan = plan(endpoint, address, isClient);
        new Perftest(plan, new PerftestReport(terminal.out(), terminal::failure)).run();
        return ExitStatus.FINE;
    }

    private PerftestPlan plan(
            EndpointOptions endpoint, InetSocketAddress address, boolean isClient) {
        Duration time = duration == null ? Duration.ZERO : duration;
        if (!time.equals(Duration.ofSeconds(time.toSeconds()))) {
            throw usage("--duration must be whole seconds with --perftest, as with the C tools");
        }
        if (queuePairs < 1 || queuePairs > MAX_QUEUE_PAIRS) {
            throw usage("--qps must be 1 to " + MAX_QUEUE_PAIRS + ", is " + queuePairs);
        }
        int largest = runsAllSizes ? LARGEST_OF_ALL : size == null ? DEFAULT_SIZE : size;
        if (largest < 1 || largest > Buffers.MAX_MESSAGE_BYTES) {
            throw usage("--size must be 1 to " + Buffers.MAX_MESSAGE_BYTES + ", is " + largest);
        }
        return new PerftestPlan(
                address,
                isClient,
                endpoint,
                verb,
                false,
                runsAllSizes ? allSizes() : List.of(largest),
                runsAllSizes,
                duration == null ? iterations() : 0,
                time,
                queuePairs,
                Math.min(depth == null ? DEFAULT_DEPTH : depth, RawOptions.MAX_TRANSMIT_DEPTH),
                isBidirectional,
                loops);
    }

    private int iterations() {
        if (count == 0) {
            return verb == RawVerb.WRITE ? DEFAULT_COUNT_OF_WRITES : DEFAULT_COUNT;
        }
        if (count < PerftestPlan.MIN_ITERATIONS || count > Integer.MAX_VALUE) {
            throw usage(
                    "--count must be "
                            + PerftestPlan.MIN_ITERATIONS
                            + " to "
                            + Integer.MAX_VALUE
                            + " with --perftest, as with the C tools; is "
                            + count);
        }
        return (int) count;
    }

    private ParameterException usage(String message) {
        return new ParameterException(commandLine, message);
    }
}
