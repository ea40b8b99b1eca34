package io.rdmanet.bw.report;

import io.rdmanet.ProbeReport;
import io.rdmanet.bw.probe.PauseReport;
import io.rdmanet.bw.probe.ProcessReport;
import io.rdmanet.bw.probe.ThreadPlacement;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.RunOutcome;
import io.rdmanet.bw.run.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Where the time of a run went, and what slowed the process down, as lines for people.
public final class ProbeText {
    private static final double NANOS_PER_MILLI = 1e6;

    private ProbeText() {}

    /// Of one run.
    static List<String> ofRun(Setting setting, RunOutcome outcome) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "  memory: "
                        + Figures.figure(outcome.allocatedBytesPerMessage())
                        + " bytes allocated per message, "
                        + outcome.collectionMillis()
                        + " ms of garbage collection");
        ProbeReport probe = outcome.probe();
        if (probe.workRequests() > 0) {
            lines.add(
                    "  time: "
                            + probe.workRequests()
                            + " work requests; for each, and of the run:");
            lines.add(share("post", probe.postNanos(), outcome));
            lines.add(share("poll", probe.pollNanos(), outcome));
            if (setting.mode() != Mode.RAW) {
                lines.add(share("wait for credits", probe.creditWaitNanos(), outcome));
            }
            lines.add(share("wait for completions", probe.completionWaitNanos(), outcome));
            lines.add(share("wait for messages", probe.receiveWaitNanos(), outcome));
        }
        return lines;
    }

    private static String share(String name, long nanos, RunOutcome outcome) {
        return String.format(
                Locale.ROOT,
                "    %-21s%10.1f ns  %5.1f %%",
                name,
                outcome.probe().perWorkRequest(nanos),
                100.0 * nanos / outcome.rate().nanos());
    }

    /// Of the process, from the first run to the last.
    public static List<String> ofProcess(ProcessReport report) {
        PauseReport pauses = report.pauses();
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "garbage collection: %d pauses, %.3f ms in all, the longest %.3f ms",
                        pauses.collectionPauses(),
                        pauses.collectionNanos() / NANOS_PER_MILLI,
                        pauses.longestCollectionNanos() / NANOS_PER_MILLI));
        lines.add(
                String.format(
                        Locale.ROOT,
                        "safepoints: %d, %.3f ms in all; time to safepoint %.3f ms, the longest"
                                + " %.3f ms",
                        pauses.safepoints(),
                        pauses.safepointNanos() / NANOS_PER_MILLI,
                        pauses.timeToSafepointNanos() / NANOS_PER_MILLI,
                        pauses.longestTimeToSafepointNanos() / NANOS_PER_MILLI));
        List<ThreadPlacement> threads = report.threads();
        if (threads == null) {
            lines.add("threads: which processors they ran on is not known here");
            return lines;
        }
        lines.add("threads: processor time, and the processors that each ran on:");
        for (ThreadPlacement thread : threads) {
            if (thread.processorMillis() == 0 && !thread.equals(threads.getFirst())) {
                // The busiest come first: the others only looked up.
                break;
            }
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "    %-15s%10d ms  %s",
                            thread.name(),
                            thread.processorMillis(),
                            thread.processors()));
        }
        return lines;
    }
}
