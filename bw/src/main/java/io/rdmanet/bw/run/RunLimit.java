package io.rdmanet.bw.run;

import java.util.function.LongSupplier;

/// When a sending loop ends: after so many messages, after so much time, or when somebody asks.
///
/// Reading the clock costs as much as sending a short message, so it is read every so many messages
/// only; how many adapts itself to one reading in 20 to 200 microseconds.
final class RunLimit {
    private static final long SHORT_NANOS = 20_000;
    private static final long LONG_NANOS = 200_000;

    private final long count;
    private final long limitNanos;
    private final RunMonitor monitor;
    private final LongSupplier clock;

    private long startNanos;
    private long lastReading;
    private long nextCheck;
    private long stride = 1;

    /// @param count messages, or 0 for any number
    /// @param limitNanos time, or 0 for any time
    /// @param monitor is told how far the run is, and can stop it
    /// @param clock nanoseconds
    RunLimit(long count, long limitNanos, RunMonitor monitor, LongSupplier clock) {
        if (count <= 0 && limitNanos <= 0) {
            throw new IllegalArgumentException("a run needs a count or a duration");
        }
        this.count = count > 0 ? count : Long.MAX_VALUE;
        this.limitNanos = limitNanos > 0 ? limitNanos : Long.MAX_VALUE;
        this.monitor = monitor;
        this.clock = clock;
    }

    /// The time starts now.
    ///
    /// @return the reading
    long start() {
        startNanos = clock.getAsLong();
        lastReading = startNanos;
        nextCheck = 0;
        return startNanos;
    }

    /// How many messages may still be sent if so many are.
    long remaining(long done) {
        return count - done;
    }

    /// Whether to end.
    ///
    /// @param done messages sent so far
    boolean isReached(long done) {
        if (done >= count) {
            monitor.completed(done);
            return true;
        }
        if (done < nextCheck) {
            return false;
        }
        return check(done);
    }

    private boolean check(long done) {
        monitor.completed(done);
        long now = clock.getAsLong();
        if (now - startNanos >= limitNanos || monitor.stopRequested()) {
            return true;
        }
        long interval = now - lastReading;
        if (interval < SHORT_NANOS) {
            stride = Math.min(stride << 1, 1L << 20);
        } else if (interval > LONG_NANOS && stride > 1) {
            stride >>= 1;
        }
        lastReading = now;
        nextCheck = done + stride;
        return false;
    }
}
