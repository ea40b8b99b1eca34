package io.rdmanet.bw.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The client's side of a measurement: for each size a warm-up, then the repeats.
///
/// Belongs to one thread. What was measured before a failure or a stop has been shown to the
/// observer by then.
public final class Client {
    /// Later sizes find the code compiled and only new memory cold.
    private static final int LATER_WARM_UP_DIVISOR = 5;

    private final ClientPlan plan;
    private final Observer observer;
    private final RunMonitor monitor;

    /// @param observer is told of everything
    /// @param monitor shows progress, and can stop the measurement
    public Client(ClientPlan plan, Observer observer, RunMonitor monitor) {
        this.plan = plan;
        this.observer = observer;
        this.monitor = monitor;
    }

    /// Connects, measures, and closes.
    ///
    /// @return a result for each size that was measured at least once
    public List<CellResult> measure() throws IOException {
        List<CellResult> results = new ArrayList<>();
        try (Link link =
                plan.mode() == Mode.RAW
                        ? new RawLink(plan, observer)
                        : new ConnLink(plan, observer)) {
            long warmUpNanos = plan.warmUpNanos();
            for (int size : plan.sizes()) {
                if (monitor.stopRequested()) {
                    break;
                }
                if (link.prepare(size)) {
                    measureSize(link, size, warmUpNanos, results);
                    warmUpNanos = plan.warmUpNanos() / LATER_WARM_UP_DIVISOR;
                }
            }
        }
        return results;
    }

    private void measureSize(Link link, int size, long warmUpNanos, List<CellResult> results)
            throws IOException {
        Setting setting = link.setting();
        observer.begins(setting);
        int index = 0;
        if (warmUpNanos > 0) {
            link.run(spec(setting, size, 0, warmUpNanos, index++, true), monitor);
        }
        List<RunOutcome> outcomes = new ArrayList<>();
        try {
            while (outcomes.size() < plan.repeats() && !monitor.stopRequested()) {
                RunSpec spec = spec(setting, size, plan.count(), plan.limitNanos(), index++, false);
                RunOutcome outcome = link.run(spec, monitor);
                // Stopped before anything was sent: no figure.
                if (outcome.rate().messages() > 0) {
                    outcomes.add(outcome);
                    RunEvent.commit(setting, outcome);
                    observer.runDone(setting, outcome, outcomes.size());
                }
            }
        } finally {
            if (!outcomes.isEmpty()) {
                CellResult result = new CellResult(setting, outcomes);
                results.add(result);
                observer.cellDone(result);
            }
        }
    }

    private RunSpec spec(
            Setting setting, int size, long count, long limitNanos, int index, boolean warmUp) {
        return new RunSpec(
                plan.mode(),
                size,
                setting.batch(),
                count,
                limitNanos,
                index,
                plan.seed() + index,
                warmUp,
                plan.verify());
    }

    /// A connection to the server that changes with the size.
    interface Link extends AutoCloseable {
        /// Connects, or connects anew, as the size needs it.
        ///
        /// @return false if this size has to be left out; the observer was told why
        boolean prepare(int size) throws IOException;

        /// What is measured on the connection as prepared.
        Setting setting();

        /// One run.
        RunOutcome run(RunSpec spec, RunMonitor monitor) throws IOException;

        @Override
        void close();
    }
}
