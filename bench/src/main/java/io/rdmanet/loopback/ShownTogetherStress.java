package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Completions that are shown together: the first one's sequence, the peer's release, the owner's
/// acquire.
///
/// Without the pair the owner could see the first completion without the second, or the second
/// one's sequence without the rest of it: a message would be lost, or of another's length.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not shown yet")
@Outcome(id = "2, 64, 65", expect = Expect.ACCEPTABLE, desc = "shown, both, and all of them")
@Outcome(expect = Expect.FORBIDDEN, desc = "shown without the second, or without what it says")
@State
public class ShownTogetherStress {
    private final MemorySegment memory = Lines.next();
    private final ReceiveQueue owner;
    private final RemoteQueuePair peer;
    private final LoopbackPollCompletions poll = Prepared.poll(2);

    public ShownTogetherStress() {
        long base = memory.address();
        Words.setInt(base + QueuePairDescriptor.CAPACITY_OFFSET, 2);
        Words.setInt(base + QueuePairDescriptor.STRIDE_OFFSET, QueuePairDescriptor.stride(1));
        owner = new ReceiveQueue(memory, 2, 1);
        peer = new RemoteQueuePair(0, null, memory, null, null);
        owner.post(Prepared.receive(1), 0, 1);
        owner.post(Prepared.receive(2), 0, 1);
    }

    @Actor
    public void peer() {
        peer.completeReceive(0, 64, 0, false);
        peer.completeReceive(0, 65, 0, false);
        peer.show();
    }

    @Actor
    public void owner(III_Result result) {
        result.r1 = owner.poll(poll, 0, 0);
        result.r2 = poll.byteLengths[0];
        result.r3 = poll.byteLengths[1];
    }
}
