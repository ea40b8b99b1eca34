package io.rdmanet.bw.run;

import io.rdmanet.RawProgress;
import org.jspecify.annotations.Nullable;

/// Watches a raw run from inside: ends it, notes its peak, and writes payloads that are to be
/// verified. Called between polls, so it allocates nothing and never blocks.
final class RawRun implements RawProgress {
    private final RunLimit limit;
    private final PeakMeter peak;
    private final @Nullable RawPayloads payloads;

    /// @param payloads writes the payloads, or null if they do not matter
    RawRun(RunLimit limit, PeakMeter peak, @Nullable RawPayloads payloads) {
        this.limit = limit;
        this.peak = peak;
        this.payloads = payloads;
    }

    /// The run begins now.
    ///
    /// @return the time
    long start() {
        if (payloads != null) {
            payloads.fill(0);
        }
        long now = limit.start();
        peak.start(now);
        return now;
    }

    @Override
    public boolean onCompleted(long completed, long posted) {
        if (peak.wants(completed)) {
            peak.note(completed, System.nanoTime());
        }
        if (payloads != null) {
            payloads.fill(completed);
        }
        return !limit.isReached(completed);
    }
}
