package io.rdmanet.bw.command;

import io.rdmanet.bw.run.RunMonitor;
import java.io.PrintStream;
import java.util.Locale;

/// Shows on a terminal how far a long run is: one line on standard error that is written over and
/// over. Does nothing if nobody is watching.
final class ProgressLine implements AutoCloseable {
    private static final long PERIOD_MILLIS = 500;
    private static final long LONG_RUN_NANOS = 1_000_000_000;
    private static final String CLEAR = "\r\033[K";

    private final RunMonitor monitor;
    private final PrintStream err;
    private final Thread thread;
    private boolean isShown;

    ProgressLine(RunMonitor monitor, PrintStream err) {
        this.monitor = monitor;
        this.err = err;
        thread = Thread.ofPlatform().daemon().name("progress").unstarted(this::show);
        if (Terminal.isInteractive()) {
            thread.start();
        }
    }

    private void show() {
        try {
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
                RunMonitor.Run run = monitor.run();
                long nanos = System.nanoTime() - run.startNanos();
                if (monitor.isRunning() && nanos > LONG_RUN_NANOS) {
                    // Back to the start of the line, so that a result is written over it.
                    err.print(CLEAR + text(run, monitor.completed(), nanos) + "\r");
                    err.flush();
                    isShown = true;
                } else {
                    clear();
                }
            }
        } catch (InterruptedException e) {
            clear();
        }
    }

    static String text(RunMonitor.Run run, long completed, long nanos) {
        String share = "";
        if (run.count() > 0) {
            share = String.format(Locale.ROOT, " (%.0f %%)", 100.0 * completed / run.count());
        } else if (run.limitNanos() > 0) {
            share = String.format(Locale.ROOT, " (%.0f %%)", 100.0 * nanos / run.limitNanos());
        }
        return completed + " x " + run.size() + " bytes" + share;
    }

    private void clear() {
        if (isShown) {
            err.print(CLEAR);
            err.flush();
            isShown = false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
