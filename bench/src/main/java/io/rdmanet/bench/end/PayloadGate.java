package io.rdmanet.bench.end;

import io.rdmanet.bw.run.PayloadPattern;
import java.lang.foreign.MemorySegment;

/// Checks messages that were filled by [PayloadPattern], each with its number: one that is lost,
/// doubled, out of order, of another length or with one wrong bit is bad. After a lost or doubled
/// one all that follow are, since they are not where they should be.
final class PayloadGate {
    private final int size;
    private final long seed;
    private long checked;
    private long bad;

    /// @param size what each message should have
    PayloadGate(int size, long seed) {
        this.size = size;
        this.seed = seed;
    }

    /// The next message has arrived.
    void accept(MemorySegment payload, int length) {
        if (length != size || !PayloadPattern.matches(payload, size, seed, checked)) {
            bad++;
        }
        checked++;
    }

    /// Messages that were looked at.
    long checked() {
        return checked;
    }

    /// Those that were wrong.
    long bad() {
        return bad;
    }
}
