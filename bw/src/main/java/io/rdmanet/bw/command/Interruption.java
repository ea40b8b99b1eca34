package io.rdmanet.bw.command;

import io.rdmanet.bw.run.RunMonitor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// What Ctrl-C does: lets the measuring thread end its run and print it; if it does not, prints how
/// far it came. The process then ends as signals end it, with status 130.
final class Interruption implements AutoCloseable {
    private static final long RUNNING_PATIENCE_MILLIS = 1500;
    private static final long IDLE_PATIENCE_MILLIS = 100;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook;

    private Interruption(Thread hook) {
        this.hook = hook;
    }

    /// From now on a signal ends the measurement in good order.
    ///
    /// @param stopsByItself whether the measuring thread heeds the monitor's wish to stop
    /// @param ifItDoesNot prints what there is
    static Interruption install(RunMonitor monitor, boolean stopsByItself, Runnable ifItDoesNot) {
        // The hook needs the latch and the latch's owner needs the hook.
        CountDownLatch[] latch = new CountDownLatch[1];
        Thread hook =
                new Thread(
                        () -> {
                            monitor.requestStop();
                            boolean isRunning = monitor.isRunning() && stopsByItself;
                            if (!await(
                                    latch[0],
                                    isRunning ? RUNNING_PATIENCE_MILLIS : IDLE_PATIENCE_MILLIS)) {
                                ifItDoesNot.run();
                            }
                        },
                        "interruption");
        Interruption interruption = new Interruption(hook);
        latch[0] = interruption.finished;
        Runtime.getRuntime().addShutdownHook(hook);
        return interruption;
    }

    private static boolean await(CountDownLatch latch, long millis) {
        try {
            return latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    /// The measurement is over.
    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The signal has come; the hook sees that there is nothing left to do.
        }
    }
}
