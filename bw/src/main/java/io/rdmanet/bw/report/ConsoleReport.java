package io.rdmanet.bw.report;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.Observer;
import io.rdmanet.bw.run.Rate;
import io.rdmanet.bw.run.RunMonitor;
import io.rdmanet.bw.run.RunOutcome;
import io.rdmanet.bw.run.Setting;
import io.rdmanet.bw.run.SocketText;
import io.rdmanet.bw.run.Statistics;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// Follows a measurement on the terminal, and keeps its results.
///
/// Lines are printed by the measuring thread between runs; [#interrupted] may come from another.
public final class ConsoleReport implements Observer {
    /// Shorter runs say more about their beginning and end than about what is between.
    private static final double SHORT_RUN_SECONDS = 0.02;

    private final PrintStream out;
    private final FailureLine failureLine;
    private final boolean showsProbe;
    private final boolean verifies;
    private final List<CellResult> results = new ArrayList<>();
    private boolean isTableOpen;
    private boolean isShortRunTold;

    /// How the report tells that a client failed.
    @FunctionalInterface
    public interface FailureLine {
        /// Prints one line.
        void print(Exception failure);
    }

    /// @param out where to print
    /// @param failureLine prints failures that do not end the program
    /// @param showsProbe whether to print where time and memory went
    /// @param verifies whether to print that payloads were checked
    public ConsoleReport(
            PrintStream out, FailureLine failureLine, boolean showsProbe, boolean verifies) {
        this.out = out;
        this.failureLine = failureLine;
        this.showsProbe = showsProbe;
        this.verifies = verifies;
    }

    /// What was measured up to now.
    public List<CellResult> results() {
        synchronized (results) {
            return List.copyOf(results);
        }
    }

    @Override
    public void note(String line) {
        out.println("note: " + line);
    }

    @Override
    public void failed(Exception failure) {
        closeTable();
        failureLine.print(failure);
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
        out.println(connectedLine(local, remote, connection));
    }

    /// The line that says who is connected to whom.
    static String connectedLine(
            InetSocketAddress local, InetSocketAddress remote, ConnectionDescription connection) {
        return "connected "
                + SocketText.of(local)
                + " to "
                + SocketText.of(remote)
                + ", provider "
                + connection.provider()
                + " ("
                + connection.providerReason()
                + "), device "
                + connection.device()
                + ", by "
                + JsonReport.name(connection.setup());
    }

    @Override
    public void begins(Setting setting) {
        if (setting.mode() == Mode.RAW && !isTableOpen) {
            RawTable.header(setting).forEach(out::println);
            isTableOpen = true;
        }
    }

    @Override
    public void runDone(Setting setting, RunOutcome outcome, int repeat) {
        out.println(
                setting.mode() == Mode.RAW
                        ? RawTable.row(setting, outcome)
                        : line(setting, outcome));
        if (showsProbe) {
            ProbeText.ofRun(setting, outcome).forEach(out::println);
        }
        if (outcome.badMessages() > 0) {
            out.println(
                    "verify: "
                            + outcome.badMessages()
                            + " of "
                            + outcome.rate().messages()
                            + " messages arrived wrong");
        }
        out.flush();
    }

    /// One run in the modes of a `Conn`.
    static String line(Setting setting, RunOutcome outcome) {
        Rate rate = outcome.rate();
        return title(setting)
                + ": "
                + (setting.isReceiver() ? "received " : "sent ")
                + rate.messages()
                + " x "
                + setting.size()
                + " bytes in "
                + Figures.figure(rate.seconds())
                + " s: "
                + figures(rate);
    }

    private static String figures(Rate rate) {
        return Figures.figure(rate.gbps())
                + " Gb/s, "
                + Figures.figure(rate.mibps())
                + " MiB/s, "
                + Figures.figure(rate.mpps())
                + " Mpps";
    }

    private static String title(Setting setting) {
        String direction = setting.isReceiver() ? "Recv" : "Send";
        return switch (setting.mode()) {
            case MSG -> direction + "Msg";
            case BATCH -> direction + "Batch(" + setting.batch() + ")";
            case ZERO_COPY -> "ZeroCopy(" + setting.batch() + ")";
            case RAW -> "Raw(" + setting.depth() + ")";
        };
    }

    @Override
    public void cellDone(CellResult result) {
        synchronized (results) {
            results.add(result);
        }
        if (result.repeats().size() > 1) {
            Statistics gbps = result.gbps();
            out.println(
                    (result.setting().mode() == Mode.RAW ? " " : "")
                            + "median of "
                            + result.repeats().size()
                            + ", "
                            + result.setting().size()
                            + " bytes: "
                            + figures(result.median().rate())
                            + "; min "
                            + Figures.figure(gbps.min())
                            + ", max "
                            + Figures.figure(gbps.max())
                            + " Gb/s");
        }
        if (!isShortRunTold
                && !result.setting().isReceiver()
                && result.median().rate().seconds() < SHORT_RUN_SECONDS) {
            isShortRunTold = true;
            note(
                    "the run lasted only "
                            + Figures.figure(result.median().rate().seconds() * 1e3)
                            + " ms; for figures to rely on give a larger -n, or -D with seconds");
        }
        out.flush();
    }

    /// All is over, well or not.
    public void finish() {
        closeTable();
        long bad = results().stream().mapToLong(CellResult::badMessages).sum();
        long runs = results().stream().mapToLong(result -> result.repeats().size()).sum();
        if (verifies && bad == 0 && runs > 0) {
            out.println("verify: every byte was right");
        }
        out.flush();
    }

    /// The measurement was interrupted: prints the run under way as far as it is.
    public void interrupted(RunMonitor monitor) {
        RunMonitor.Run run = monitor.run();
        long completed = monitor.completed();
        if (!monitor.isRunning() || completed == 0) {
            out.println("interrupted");
        } else {
            Rate rate =
                    new Rate(
                            completed,
                            completed * run.size(),
                            System.nanoTime() - run.startNanos());
            out.println(
                    "interrupted after "
                            + completed
                            + " x "
                            + run.size()
                            + " bytes in "
                            + Figures.figure(rate.seconds())
                            + " s: "
                            + figures(rate));
        }
        out.flush();
    }

    private void closeTable() {
        if (isTableOpen) {
            isTableOpen = false;
            out.println(RawTable.RULE);
        }
    }
}
