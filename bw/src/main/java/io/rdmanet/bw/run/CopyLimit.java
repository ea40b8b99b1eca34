package io.rdmanet.bw.run;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The physical limit: how fast one thread copies messages from one ring of buffers to another with
/// `MemorySegment.copy`, and does nothing else. The rings are as large as those of the raw tier.
public final class CopyLimit implements AutoCloseable {
    private final int size;
    private final int count;
    private final long stride;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment source;
    private final MemorySegment target;

    /// @param size bytes of each message
    /// @param count buffers of each ring
    public CopyLimit(int size, int count) {
        this.size = size;
        this.count = count;
        stride = (size + Buffers.ALIGNMENT - 1) & -Buffers.ALIGNMENT;
        source = arena.allocate(stride * count, Buffers.ALIGNMENT);
        target = arena.allocate(stride * count, Buffers.ALIGNMENT);
        // Fresh memory may be one shared page of zeros until it is written.
        source.fill((byte) 1);
        target.fill((byte) 2);
    }

    /// Copies round and round for some time.
    public Rate measure(long limitNanos) {
        long start = System.nanoTime();
        long messages = 0;
        long nanos;
        do {
            copyRound();
            messages += count;
            nanos = System.nanoTime() - start;
        } while (nanos < limitNanos);
        return new Rate(messages, messages * size, nanos);
    }

    /// Copies one round of payloads that all differ.
    ///
    /// @return how many did not come out as they went in
    public int countWrong(long seed) {
        for (int i = 0; i < count; i++) {
            PayloadPattern.fill(source.asSlice(i * stride, size), size, seed, i);
        }
        copyRound();
        int wrong = 0;
        for (int i = 0; i < count; i++) {
            if (!PayloadPattern.matches(target.asSlice(i * stride, size), size, seed, i)) {
                wrong++;
            }
        }
        return wrong;
    }

    private void copyRound() {
        long end = stride * count;
        for (long offset = 0; offset < end; offset += stride) {
            MemorySegment.copy(source, offset, target, offset, size);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
