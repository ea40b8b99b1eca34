package io.rdmanet.internal.frame;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// What a frame's header costs: written by one end, read and checked by the other.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FrameBenchmark {
    private static final int SLOT_BYTES = 64;
    private static final int SLOTS = 128;

    private MemorySegment memory;
    private long offset;

    @Setup
    public void open() {
        memory = Arena.ofAuto().allocate(SLOTS * FrameDescriptor.stride(SLOT_BYTES), 64);
        if (writeAndCheck() != SLOT_BYTES) {
            throw new IllegalStateException("gate: the header did not come back");
        }
    }

    @Benchmark
    public long writeAndCheck() {
        offset = (offset + FrameDescriptor.stride(SLOT_BYTES)) % memory.byteSize();
        long at = offset + FrameDescriptor.HEADER_OFFSET;
        FrameDescriptor.write(memory, at, FrameDescriptor.encode(0, 1, 2, SLOT_BYTES));
        long header = FrameDescriptor.read(memory, at);
        int arrived = SLOT_BYTES + FrameDescriptor.HEADER_LENGTH;
        String fault = FrameDescriptor.fault(header, arrived, SLOT_BYTES);
        return fault.isEmpty() ? FrameDescriptor.length(header) : -1;
    }
}
