package io.rdmanet.bw.run;

/// The best rate over any part of a run that is not too short: what ib_send_bw calls BW peak.
///
/// ib_send_bw takes the best rate over any two completions however close, which is the rate of its
/// own polling more than of the transport. Here a part must hold at least a twentieth of the run's
/// messages. Completions are noted in an array of fixed size; when it is full every second is
/// dropped and from then on only half as many are noted, so a run of any length fits. Allocates
/// nothing while it notes.
public final class PeakMeter {
    /// A part has at least one message in so many of the run.
    static final int SMALLEST_PART = 20;

    private static final int CAPACITY = 4096;

    private final long[] messages = new long[CAPACITY];
    private final long[] nanos = new long[CAPACITY];
    private int samples;
    private long stride = 1;
    private long nextSample;

    /// A run begins.
    ///
    /// @param nowNanos the time
    public void start(long nowNanos) {
        samples = 0;
        stride = 1;
        note(0, nowNanos);
    }

    /// Whether a completion is to be noted, and the clock to be read for it.
    public boolean wants(long completed) {
        return completed >= nextSample;
    }

    /// So many messages were through at some time.
    public void note(long completed, long nowNanos) {
        if (samples == CAPACITY) {
            halve();
        }
        messages[samples] = completed;
        nanos[samples] = nowNanos;
        samples++;
        nextSample = completed + stride;
    }

    private void halve() {
        for (int i = 0; i < CAPACITY / 2; i++) {
            messages[i] = messages[2 * i];
            nanos[i] = nanos[2 * i];
        }
        samples = CAPACITY / 2;
        stride *= 2;
    }

    /// The best rate in messages per second, 0 if nothing was noted.
    public double peakMessagesPerSecond() {
        if (samples < 2) {
            return 0;
        }
        long smallest = Math.max(1, messages[samples - 1] / SMALLEST_PART);
        double best = 0;
        for (int from = 0; from < samples; from++) {
            for (int to = from + 1; to < samples; to++) {
                long part = messages[to] - messages[from];
                long time = nanos[to] - nanos[from];
                if (part >= smallest && time > 0) {
                    best = Math.max(best, part * 1e9 / time);
                }
                // One of two halves of a longer part is at least as fast as the whole.
                if (part >= 2 * smallest) {
                    break;
                }
            }
        }
        return best;
    }
}
