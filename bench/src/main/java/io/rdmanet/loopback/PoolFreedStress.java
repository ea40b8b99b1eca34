package io.rdmanet.loopback;

import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The stack of free slots: poller's compare-and-set, poster's; in a pool of one.
///
/// Without the pair the next receive could be posted into the slot, and be completed by a taker
/// that is quick, before the poller has read the first completion.
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "polled; posted too early: full")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "polled, then posted into its slot")
@Outcome(expect = Expect.FORBIDDEN, desc = "the slot was re-used while it was read")
@State
public class PoolFreedStress {
    private final ReceivePool pool = Prepared.pool(1);
    private final MemorySegment memory = Lines.nextPooled(1);
    private final PooledReceives owner = new PooledReceives(memory, 1, pool, true);
    private final RemoteQueuePair peer = Prepared.peerOf(memory, pool);
    private final LoopbackPostReceive second = Prepared.receive(2);
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    public PoolFreedStress() {
        pool.post(Prepared.receive(1), 0, 1);
        peer.nextReceive();
        peer.completeReceive(0, 1, 1, false);
    }

    @Actor
    public void poller(III_Result result) {
        owner.poll(poll, 0, 0);
        result.r1 = (int) poll.workRequestIds[0];
        result.r2 = poll.immediates[0];
    }

    @Actor
    public void posterAndPeer(III_Result result) {
        result.r3 = pool.post(second, 0, 1);
        if (peer.nextReceive() != 0) {
            peer.completeReceive(0, 2, 2, false);
        }
    }
}
