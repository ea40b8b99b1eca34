package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// `SendQueue.inPlace` and `LoopbackMemoryRegion.isOpen`: a thread that executes a send where it
/// was prepared, and one that closes the region.
///
/// Each notes what it does and then looks for the other's note. Without the fence of the execution
/// right between the two the sender could go on with a region whose closing saw no sender: its
/// memory would be freed under the copy.
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "sent; closing is refused")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "closed; the send fails")
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "each has seen the other")
@Outcome(id = "1, 1", expect = Expect.FORBIDDEN, desc = "sent from a region that was closed")
@State
public class InPlaceStress {
    private final MemorySegment memory = Lines.nextQueuePair();
    private final ExecutionRight right = new ExecutionRight(memory.address());
    private final SendQueue queue = new SendQueue(1, 1, 0, false);
    private final SendRequests prepared = new SendRequests(1, 1, 0, null);
    private volatile boolean isOpen = true;

    public InPlaceStress() {
        prepared.unregistered(0, 0, MemorySegment.NULL, 0, QueuePairDescriptor.LINE);
    }

    @Actor
    public void sender(II_Result result) {
        queue.beginInPlace(prepared);
        if (right.tryBegin()) {
            result.r1 = isOpen ? 1 : 0;
        }
    }

    /// The region is the one of no name that the prepared request has.
    @Actor
    public void closer(II_Result result) {
        isOpen = false;
        VarHandle.fullFence();
        result.r2 = queue.uses((LoopbackMemoryRegion) null) ? 0 : 1;
    }
}
