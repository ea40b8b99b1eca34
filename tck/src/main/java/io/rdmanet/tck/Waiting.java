package io.rdmanet.tck;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// A wait with a deadline that first spins and then sleeps for moments, since the device that is
/// waited for may need this processor.
final class Waiting {
    private static final int SPINS = 200;
    private static final long PAUSE_NANOS = 20_000;

    private final long deadlineNanos;
    private int spins;

    Waiting(Duration patience) {
        deadlineNanos = System.nanoTime() + patience.toNanos();
    }

    /// Something that may throw, asked again and again.
    @FunctionalInterface
    interface Condition {
        boolean isTrue() throws Exception;
    }

    /// Waits for a condition.
    ///
    /// @return whether it came true in time
    static boolean until(Duration patience, Condition condition) throws Exception {
        Waiting waiting = new Waiting(patience);
        while (!condition.isTrue()) {
            if (!waiting.pause()) {
                return condition.isTrue();
            }
        }
        return true;
    }

    /// Gives others a moment.
    ///
    /// @return whether there is time left
    boolean pause() {
        if (spins < SPINS) {
            spins++;
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return System.nanoTime() - deadlineNanos < 0 && !Thread.currentThread().isInterrupted();
    }

    /// Something has happened: the next wait spins again.
    void progressed() {
        spins = 0;
    }
}
