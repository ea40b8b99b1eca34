package io.rdmanet.loopback;

import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// `ReceiveQueue.polled`: polling thread's release, posting thread's acquire; with a queue of one.
///
/// Without the pair the next receive could be posted into the slot, and be completed by a peer that
/// is quick, before the poller has read the first completion: the wrong identifier, length or
/// immediate data.
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "polled; posted too early: full")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "polled, then posted into its slot")
@Outcome(expect = Expect.FORBIDDEN, desc = "the slot was re-used while it was read")
@State
public class ReceiveQueuePolledStress {
    private final MemorySegment memory = Lines.nextQueuePair();
    private final ReceiveQueue owner = new ReceiveQueue(memory, 1, 1);
    private final RemoteQueuePair peer = new RemoteQueuePair(0, null, memory, null, null);
    private final LoopbackPostReceive second = Prepared.receive(2);
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    public ReceiveQueuePolledStress() {
        owner.post(Prepared.receive(1), 0, 1);
        peer.completeReceive(0, 1, 1, false);
        peer.show();
    }

    @Actor
    public void poller(III_Result result) {
        owner.poll(poll, 0, 0);
        result.r1 = (int) poll.workRequestIds[0];
        result.r2 = poll.immediates[0];
    }

    @Actor
    public void posterAndPeer(III_Result result) {
        result.r3 = owner.post(second, 0, 1);
        if (peer.nextReceive() != 0) {
            peer.completeReceive(0, 2, 2, false);
            peer.show();
        }
    }
}
