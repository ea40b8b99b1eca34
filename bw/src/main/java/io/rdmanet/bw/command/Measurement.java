package io.rdmanet.bw.command;

import io.rdmanet.bw.probe.ProcessProbe;
import io.rdmanet.bw.probe.ProcessReport;
import io.rdmanet.bw.report.ConsoleReport;
import io.rdmanet.bw.report.ProbeText;
import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.Client;
import io.rdmanet.bw.run.ClientPlan;
import io.rdmanet.bw.run.RunMonitor;
import io.rdmanet.bw.run.Server;
import io.rdmanet.bw.run.ServerPlan;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Runs a server or a client with everything around it: reports, documents, progress, Ctrl-C.
final class Measurement {
    private final Terminal terminal;
    private final Documents documents;
    private volatile boolean hasLostResults;
    private volatile @Nullable ProcessReport process;
    private final List<String> notes;
    private final boolean probes;
    private final PrintStream text;
    private final ConsoleReport report;
    private final RunMonitor monitor = new RunMonitor();
    private final AtomicBoolean isWritten = new AtomicBoolean();

    /// @param notes what to tell the user first
    /// @param probes whether to show where time went
    /// @param verifies whether payloads are checked
    Measurement(
            Terminal terminal,
            Documents documents,
            List<String> notes,
            boolean probes,
            boolean verifies) {
        this.terminal = terminal;
        this.documents = documents;
        this.notes = notes;
        this.probes = probes;
        text = documents.text(terminal);
        report = new ConsoleReport(text, terminal::failure, probes, verifies);
    }

    /// What is run.
    private interface Body {
        /// @return messages that arrived wrong
        long run() throws IOException;
    }

    /// Listens and serves.
    ///
    /// @return the exit status
    int serve(ServerPlan plan) throws IOException {
        return measure(
                false,
                () -> {
                    try (Server server = Server.listen(plan, report, monitor)) {
                        return server.serve();
                    }
                });
    }

    /// Connects and measures.
    ///
    /// @return the exit status
    int connect(ClientPlan plan) throws IOException {
        try (ProgressLine _ = new ProgressLine(monitor, terminal.err())) {
            return measure(
                    true,
                    () ->
                            new Client(plan, report, monitor)
                                    .measure().stream().mapToLong(CellResult::badMessages).sum());
        }
    }

    private int measure(boolean stopsByItself, Body body) throws IOException {
        notes.forEach(report::note);
        ProcessProbe probe = probes ? ProcessProbe.start() : null;
        // Outermost, so that a signal waits for everything within.
        try (Interruption _ = Interruption.install(monitor, stopsByItself, this::interrupted)) {
            int status;
            try {
                long bad = body.run();
                if (monitor.stopRequested()) {
                    report.note("interrupted; the figures are of what was measured until then");
                }
                status = bad == 0 ? ExitStatus.FINE : failed(bad);
            } finally {
                report.finish();
                showProcess(probe);
                write();
            }
            return hasLostResults ? ExitStatus.FAILED : status;
        }
    }

    private int failed(long bad) {
        terminal.error(bad + " messages arrived with wrong content");
        return ExitStatus.FAILED;
    }

    private void interrupted() {
        report.interrupted(monitor);
        write();
    }

    private void showProcess(@Nullable ProcessProbe probe) {
        if (probe != null) {
            try (probe) {
                ProcessReport seen = probe.stop();
                ProbeText.ofProcess(seen).forEach(text::println);
                process = seen;
            }
        }
    }

    private void write() {
        List<CellResult> results = report.results();
        if (!isWritten.compareAndSet(false, true)) {
            return;
        }
        try {
            documents.write(results, process, terminal.out());
        } catch (IOException e) {
            hasLostResults = true;
            terminal.error("results could not be written: " + e.getMessage());
        }
    }
}
