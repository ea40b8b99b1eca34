package io.rdmanet.bw.report;

import io.rdmanet.RawVerb;
import io.rdmanet.bw.perftest.LatencyReport;
import io.rdmanet.bw.perftest.PerftestObserver;
import io.rdmanet.bw.perftest.PerftestPlan;
import io.rdmanet.bw.perftest.wire.BandwidthReport;
import io.rdmanet.bw.perftest.wire.KeyMessage;
import io.rdmanet.bw.report.ConsoleReport.FailureLine;
import io.rdmanet.bw.run.SocketText;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Follows a run against a C tool on the terminal, in that tool's own form, so that both ends'
/// output can be laid side by side.
public final class PerftestReport implements PerftestObserver {
    /// As ib_send_lat has it.
    static final String LATENCY_COLUMNS =
            " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
                    + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] ";

    private final PrintStream out;
    private final FailureLine failureLine;
    private boolean isTableOpen;

    /// @param out where to print
    /// @param failureLine prints failures that do not end the program
    public PerftestReport(PrintStream out, FailureLine failureLine) {
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
    public void connected(PerftestPlan plan, Connection connection) {
        header(plan, connection).forEach(out::println);
        out.println(plan.isLatency() ? LATENCY_COLUMNS : RawTable.COLUMNS);
        isTableOpen = true;
        out.flush();
    }

    /// What comes before the columns.
    static List<String> header(PerftestPlan plan, Connection connection) {
        List<String> lines = new ArrayList<>();
        lines.add(RawTable.RULE);
        lines.add("                    " + title(plan));
        RawTable.line(lines, "Provider", connection.provider());
        RawTable.line(lines, "Device", connection.device() + ", port " + connection.portNumber());
        RawTable.line(lines, "Number of qps", "" + plan.queuePairs());
        RawTable.line(lines, "Connection type", "RC");
        if (plan.isClient() || plan.isBidirectional()) {
            RawTable.line(lines, "TX depth", "" + plan.sendDepth());
        }
        if (plan.verb() == RawVerb.SEND && (!plan.isClient() || plan.isBidirectional())) {
            RawTable.line(lines, "RX depth", "" + plan.receiveDepth());
        }
        RawTable.line(lines, "Mtu", connection.preamble().mtu().bytes() + "[B]");
        RawTable.line(lines, "Link type", RawTable.linkType(connection.linkLayer()));
        RawTable.line(lines, "GID index", "" + connection.gid().index());
        if (plan.verb() == RawVerb.READ) {
            RawTable.line(
                    lines, "Outstand reads", "" + connection.own().getFirst().outstandingReads());
        }
        RawTable.line(lines, "Peer's version", "" + connection.preamble().peerVersion());
        RawTable.line(lines, "Data ex. method", "Ethernet");
        lines.add(RawTable.RULE);
        addresses(lines, " local", plan.verb(), connection.own());
        addresses(lines, " remote", plan.verb(), connection.peer());
        lines.add(RawTable.RULE);
        return lines;
    }

    private static String title(PerftestPlan plan) {
        String verb = RawTable.title(plan.verb());
        if (plan.isLatency()) {
            return verb + " Latency Test";
        }
        return verb + (plan.isBidirectional() ? " Bidirectional" : "") + " BW Test";
    }

    private static void addresses(
            List<String> lines, String whose, RawVerb verb, List<KeyMessage> keys) {
        for (KeyMessage key : keys) {
            String memory =
                    verb == RawVerb.SEND
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    " RKey 0x%06x VAddr 0x%016x",
                                    key.remoteKey(),
                                    key.address());
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%s address: LID %04x QPN 0x%04x PSN 0x%06x%s",
                            whose,
                            key.localIdentifier(),
                            key.queuePairNumber(),
                            key.packetSequence(),
                            memory));
            lines.add(" GID: " + key.gid());
        }
    }

    @Override
    public void bandwidth(BandwidthReport report) {
        out.println(row(report));
        out.flush();
    }

    /// One size, as ib_send_bw prints it.
    static String row(BandwidthReport report) {
        return String.format(
                Locale.ROOT,
                " %-7d    %-10d       %-7.2f            %-7.2f\t\t     %-7.6f",
                report.size(),
                report.iterations(),
                report.peakMibps(),
                report.averageMibps(),
                report.mpps());
    }

    @Override
    public void latency(LatencyReport report) {
        out.println(row(report));
        out.flush();
    }

    /// One size, as ib_send_lat prints it.
    static String row(LatencyReport report) {
        return String.format(
                Locale.ROOT,
                " %-7d %d          %-7.2f        %-7.2f      %-7.2f  \t       %-7.2f     \t%-7.2f"
                        + "\t\t%-7.2f \t\t%-7.2f",
                report.size(),
                report.iterations(),
                report.min(),
                report.max(),
                report.typical(),
                report.average(),
                report.deviation(),
                report.percentile99(),
                report.percentile999());
    }

    @Override
    public void finished() {
        if (isTableOpen) {
            isTableOpen = false;
            out.println(RawTable.RULE);
            out.flush();
        }
    }

    @Override
    public void failed(IOException failure) {
        failureLine.print(failure);
    }
}
