package io.rdmanet.bw.perftest;

import java.time.Duration;

/// The part of a run by time that counts: a quarter of it (in whole seconds, as the C tools round
/// it) at either end does not, so that neither start nor end shows.
///
/// What counts begins and ends with an event. So a peer that ends a little sooner, because its
/// clock started sooner, takes nothing from the rate; one that ends long before has other options.
final class TimeWindow {
    private static final int MARGIN_DIVISOR = 4;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /// How much sooner than this end's clock the last event may be. On an emulated processor tenths
    /// of a second pass between the peer's first post and this end's first completion.
    private static final long MOST_QUIET_NANOS = NANOS_PER_SECOND;

    private final long marginNanos;
    private final long endNanos;
    private final long mostQuietNanos;
    private long start;
    private long lastEvent;
    private long eventsSeen;
    private long sampleFrom;
    private long sampleNanos;
    private long eventsBefore;
    private long events;
    private boolean isSampling;
    private boolean isSampled;

    TimeWindow(Duration duration) {
        marginNanos = duration.toSeconds() / MARGIN_DIVISOR * NANOS_PER_SECOND;
        endNanos = duration.toNanos();
        // What is within the margin at the end does not count anyway.
        mostQuietNanos = Math.max(marginNanos, Math.min(MOST_QUIET_NANOS, endNanos / 4 * 3));
    }

    /// The time begins.
    ///
    /// @param eventsSoFar do not count: the time began with them
    void start(long now, long eventsSoFar) {
        start = now;
        lastEvent = now;
        eventsSeen = eventsSoFar;
        isSampling = marginNanos == 0;
        sampleFrom = now;
        eventsBefore = eventsSoFar;
        isSampled = false;
        events = 0;
        sampleNanos = 0;
    }

    /// So many events have been up to now.
    ///
    /// @return whether the time is over
    boolean isOver(long now, long eventsSoFar) {
        if (eventsSoFar > eventsSeen) {
            eventsSeen = eventsSoFar;
            lastEvent = now;
        }
        long elapsed = now - start;
        if (!isSampling && !isSampled && elapsed >= marginNanos) {
            isSampling = true;
            sampleFrom = lastEvent;
            eventsBefore = eventsSeen;
        }
        if (elapsed >= endNanos - marginNanos) {
            end();
        }
        return elapsed >= endNanos;
    }

    /// The time is over with the last event.
    void end() {
        if (isSampling) {
            isSampling = false;
            isSampled = true;
            sampleNanos = lastEvent - sampleFrom;
            events = eventsSeen - eventsBefore;
        }
    }

    /// Whether events came until about the end of the time.
    boolean isFull() {
        return quietFrom() >= endNanos - mostQuietNanos;
    }

    /// From when on there was no event, in nanoseconds from the beginning.
    long quietFrom() {
        return lastEvent - start;
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
