package io.rdmanet.internal.frame;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// What a frame's header costs: made by one end, checked and read by the other.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FrameBenchmark {
    private static final int SLOT_BYTES = 64;

    private int credits;

    @Setup
    public void open() {
        for (int i = 1; i <= FrameDescriptor.MAX_CREDITS; i++) {
            if (encodeAndCheck() != i) {
                throw new IllegalStateException("gate: the header did not come back");
            }
        }
    }

    @Benchmark
    public int encodeAndCheck() {
        credits = credits % FrameDescriptor.MAX_CREDITS + 1;
        int header = FrameDescriptor.encode(FrameFlags.LAST, 1, credits);
        String fault = FrameDescriptor.fault(true, header, SLOT_BYTES, SLOT_BYTES);
        return fault.isEmpty() ? FrameDescriptor.credits(header) : -1;
    }
}
