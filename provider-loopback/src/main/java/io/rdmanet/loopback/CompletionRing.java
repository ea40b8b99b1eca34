package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.SEQUENCE_OFFSET;

import io.rdmanet.loopback.ring.Words;

/// A queue pair's ring of completions of receives, as its owner reads it.
final class CompletionRing {
    private final long base;
    private final int mask;
    private final int stride;

    /// @param base the address of the first entry
    /// @param entries a power of two
    /// @param stride bytes of an entry
    CompletionRing(long base, int entries, int stride) {
        this.base = base;
        this.stride = stride;
        mask = entries - 1;
    }

    /// The address of the entry of a position.
    long entry(long position) {
        return base + (position & mask) * stride;
    }

    /// Whether the completion of a position is there; if so, all of it.
    boolean has(long position) {
        return Words.longAcquire(entry(position) + SEQUENCE_OFFSET) == position + 1;
    }

    /// How many completions are there from a position on, counted up to a limit.
    long count(long from, int limit) {
        long position = from;
        while (position - from < Math.min(limit, mask + 1) && has(position)) {
            position++;
        }
        return position - from;
    }
}
