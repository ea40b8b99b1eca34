package io.rdmanet.bw.report;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.bw.latency.LatencyObserver;
import io.rdmanet.bw.latency.LatencyResult;
import io.rdmanet.bw.report.ConsoleReport.FailureLine;
import io.rdmanet.bw.run.SocketText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/// Tells of a latency measurement: on the terminal, as JSON, and as HdrHistogram's own table.
///
/// Every figure is half of a round, in microseconds.
public final class LatencyTable implements LatencyObserver {
    private static final double[] PERCENTILES = {0, 50, 90, 99, 99.9, 100};
    private static final String[] NAMES = {"min", "p50", "p90", "p99", "p999", "max"};
    private static final int STEPS_PER_HALF_DISTANCE = 5;

    /// A round in nanoseconds is this many times one way in microseconds.
    private static final double SCALE = 2000.0;

    private final PrintStream out;
    private final FailureLine failureLine;

    /// @param out where to print
    /// @param failureLine prints failures that do not end the program
    public LatencyTable(PrintStream out, FailureLine failureLine) {
        this.out = out;
        this.failureLine = failureLine;
    }

    @Override
    public void listening(InetSocketAddress address, String provider, String reason) {
        out.println("provider " + provider + ": " + reason);
        out.println("listening on " + SocketText.of(address));
        out.flush();
    }

    @Override
    public void connected(
            InetSocketAddress local, InetSocketAddress remote, ConnectionDescription connection) {
        out.println(ConsoleReport.connectedLine(local, remote, connection));
        out.flush();
    }

    @Override
    public void failed(IOException failure) {
        failureLine.print(failure);
    }

    /// Prints the result.
    public void print(LatencyResult result) {
        out.println(
                " #bytes  #rounds     t_min[usec]  p50[usec]    p90[usec]    p99[usec]"
                        + "    p99.9[usec]  t_max[usec]");
        StringBuilder row =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                " %-7d %-11d",
                                result.size(),
                                result.rounds().getTotalCount()));
        for (double percentile : PERCENTILES) {
            row.append(String.format(Locale.ROOT, " %-12.2f", result.micros(percentile)));
        }
        out.println(row.toString().stripTrailing());
        out.flush();
    }

    /// The document of a result.
    public static String json(LatencyResult result) {
        ObjectNode document = JsonReport.emptyDocument();
        ObjectNode node = document.putArray("results").addObject();
        node.put("provider", result.connection().provider())
                .put("device", result.connection().device())
                .put("mode", "lat")
                .put("tier", result.mode().label())
                .put("sizeBytes", result.size())
                .put("batch", result.batch())
                .put("rounds", result.rounds().getTotalCount())
                .put("pollMode", result.pollMode().name().toLowerCase(Locale.ROOT))
                .put("setup", JsonReport.name(result.connection().setup()));
        for (int i = 0; i < NAMES.length; i++) {
            node.put(NAMES[i] + "Micros", result.micros(PERCENTILES[i]));
        }
        node.put("jdk", Machine.jdk()).put("os", Machine.os());
        return JsonReport.text(document);
    }

    /// HdrHistogram's table of percentiles, which its plotter reads.
    public static String histogram(LatencyResult result) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream text = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            result.rounds().outputPercentileDistribution(text, STEPS_PER_HALF_DISTANCE, SCALE);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
