package io.rdmanet.bw.perftest;

import java.time.Duration;

/// The part of a run by time that counts: a quarter of it (in whole seconds, as the C tools round
/// it) at either end does not, so that neither start nor end shows.
final class TimeWindow {
    private static final int MARGIN_DIVISOR = 4;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long marginNanos;
    private final long endNanos;
    private long start;
    private long sampleFrom;
    private long sampleNanos;
    private long eventsBefore;
    private long events;
    private boolean isSampling;
    private boolean isSampled;

    TimeWindow(Duration duration) {
        marginNanos = duration.toSeconds() / MARGIN_DIVISOR * NANOS_PER_SECOND;
        endNanos = duration.toNanos();
    }

    /// The time begins.
    void start(long now) {
        start = now;
        isSampling = false;
        isSampled = false;
        events = 0;
        sampleNanos = 0;
    }

    /// So many events have been up to now.
    ///
    /// @return whether the time is over
    boolean isOver(long now, long eventsSoFar) {
        long elapsed = now - start;
        if (!isSampling && !isSampled && elapsed >= marginNanos) {
            isSampling = true;
            sampleFrom = now;
            eventsBefore = eventsSoFar;
        }
        if (isSampling && elapsed >= endNanos - marginNanos) {
            end(now, eventsSoFar);
        }
        return elapsed >= endNanos;
    }

    /// The time is over, now.
    void end(long now, long eventsSoFar) {
        if (isSampling) {
            isSampling = false;
            isSampled = true;
            sampleNanos = now - sampleFrom;
            events = eventsSoFar - eventsBefore;
        }
    }

    /// Whether the run has lasted nearly as long as it was to.
    boolean isNearlyOver(long now) {
        return now - start >= endNanos / 2;
    }

    /// Events that count.
    long events() {
        return events;
    }

    /// The time that counts.
    long nanos() {
        return sampleNanos;
    }
}
