package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;

/// A queue pair's ring of completions of receives, as its owner reads it.
final class CompletionRing {
    private final long base;
    private final int entries;
    private final int stride;

    /// @param base the address of the first entry
    /// @param stride bytes of an entry
    CompletionRing(long base, int entries, int stride) {
        this.base = base;
        this.entries = entries;
        this.stride = stride;
    }

    /// The index of a position's entry, inside the ring whatever the position. Divides: who goes
    /// round keeps the index beside the position.
    int index(long position) {
        return Math.floorMod(position, entries);
    }

    /// The index after another.
    int next(int index) {
        return after(index, 1);
    }

    /// The index after some from another on, none of which goes beyond the ring's end.
    int after(int index, int count) {
        return index + count == entries ? 0 : index + count;
    }

    /// The address of an entry.
    long entry(int index) {
        return base + (long) index * stride;
    }

    /// Whether the completion of a position is there; if so, all of it.
    ///
    /// @param entry the address of the position's entry
    static boolean isThere(long entry, long position) {
        return Words.intAcquire(entry + QueuePairDescriptor.COMPLETION_SEQUENCE_OFFSET)
                == QueuePairDescriptor.sequence(position);
    }

    /// How many completions are there from a position on, counted up to a limit.
    long count(long from, int limit) {
        int most = Math.min(limit, entries);
        int index = index(from);
        int count = 0;
        while (count < most && isThere(entry(index), from + count)) {
            index = next(index);
            count++;
        }
        return count;
    }
}
