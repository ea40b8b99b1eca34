package io.rdmanet.internal.flow;

import io.rdmanet.internal.frame.FrameDescriptor;
import io.rdmanet.internal.frame.HelloDescriptor.MessageHello;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// What flow control costs a message, with nobody else on the other end of a cache line: credits
/// taken and given back, and a frame's place in the ring of those that wait to be read.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FlowBenchmark {
    private static final int WINDOW = 128;
    private static final int CONTROL_WINDOW = 4;

    private CreditLedger sender;
    private CreditLedger receiver;
    private FrameRing ring;
    private int slot;

    @Setup
    public void open() {
        sender = ledger();
        receiver = ledger();
        ring = new FrameRing(WINDOW);
        for (int i = 0; i < 3 * WINDOW; i++) {
            if (credit() != WINDOW || addAndRemove() != i % WINDOW) {
                throw new IllegalStateException("gate: credits or frames were lost");
            }
        }
    }

    private static CreditLedger ledger() {
        CreditLedger ledger = new CreditLedger(WINDOW, CONTROL_WINDOW);
        ledger.onHello(new MessageHello(0, 64, WINDOW, 1 << 20, CONTROL_WINDOW));
        return ledger;
    }

    /// A credit's whole life: used, its frame taken in by the peer, its receive posted again, and
    /// given back by the header of the next frame the other way.
    @Benchmark
    public int credit() {
        sender.useCredits(1);
        sender.stamp(0);
        String fault = receiver.onData();
        receiver.onReposted(1);
        int header = receiver.stamp(0);
        String otherFault =
                sender.onHeader(
                        FrameDescriptor.credits(header), FrameDescriptor.controlAcks(header));
        return fault.isEmpty() && otherFault.isEmpty() ? sender.credits() : -1;
    }

    /// A frame's place in the ring.
    @Benchmark
    public int addAndRemove() {
        ring.add(FrameRing.frame(slot, 64, false));
        slot = (slot + 1) & (WINDOW - 1);
        int oldest = FrameRing.slot(ring.peek());
        ring.removeMessage();
        return oldest;
    }
}
