package io.rdmanet.internal.setup;

import java.time.Duration;

/// A point in time that several steps share: what one step uses up is gone for the next.
///
/// @param wholeNanos how long all steps may take together
/// @param endNanos the end on the clock of [System#nanoTime()]
public record Deadline(long wholeNanos, long endNanos) {
    /// A century: long enough, and far from an overflow.
    private static final long MAX_NANOS = 100L * 365 * 24 * 3600 * 1_000_000_000L / 2;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    /// The deadline that ends so many nanoseconds from now; in the past if they are negative.
    public static Deadline after(long nanos) {
        long whole = Math.min(nanos, MAX_NANOS);
        return new Deadline(whole, System.nanoTime() + whole);
    }

    /// The deadline that ends after a duration, however long.
    public static Deadline after(Duration duration) {
        return after(
                duration.compareTo(Duration.ofNanos(MAX_NANOS)) < 0
                        ? duration.toNanos()
                        : MAX_NANOS);
    }

    /// What is left, 0 if nothing.
    public long remainingNanos() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    /// What is left in milliseconds, rounded up; at least 1, since 0 means "for ever" to sockets.
    public int remainingMillis() {
        long millis = (remainingNanos() + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
        return Math.clamp(millis, 1, Integer.MAX_VALUE);
    }

    /// All the time that was allowed, for messages: `30000 ms`. What is left for the last of
    /// several steps would tell nobody anything.
    public String wholeTime() {
        return wholeNanos / NANOS_PER_MILLI + " ms";
    }

    /// Whether nothing is left.
    public boolean isPast() {
        return endNanos - System.nanoTime() <= 0;
    }

    /// The earlier of this deadline and one that ends so many nanoseconds from now.
    public Deadline atMost(long nanos) {
        Deadline other = after(nanos);
        return other.endNanos - endNanos < 0 ? other : this;
    }
}
