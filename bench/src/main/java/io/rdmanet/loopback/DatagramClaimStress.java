package io.rdmanet.loopback;

import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// [DatagramClaim]: release by one deliverer, compare-and-set by the next; it carries the place of
/// the next completion from one to the other.
///
/// Without the pair both could complete in one place: a datagram lost that was reported as sent,
/// and its receive with it.
@JCStressTest
@Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the second found it taken")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "the first found it taken")
@Outcome(expect = Expect.FORBIDDEN, desc = "a completion lost, or reported wrong")
@State
public class DatagramClaimStress {
    private final ReceivePool pool = Prepared.pool(2);
    private final MemorySegment memory = Lines.nextPooled(2);
    private final PooledReceives owner = new PooledReceives(memory, 1, pool, true);
    private final RemoteQueuePair first = Prepared.peerOf(memory, pool);
    private final RemoteQueuePair second = Prepared.peerOf(memory, pool);
    private final LoopbackPollCompletions poll = Prepared.poll(3);

    public DatagramClaimStress() {
        pool.post(Prepared.receive(1), 0, 1);
        pool.post(Prepared.receive(2), 0, 1);
    }

    @Actor
    public void first(III_Result result) {
        result.r1 = Prepared.deliver(first, 1);
    }

    @Actor
    public void second(III_Result result) {
        result.r2 = Prepared.deliver(second, 2);
    }

    @Arbiter
    public void poll(III_Result result) {
        result.r3 = owner.poll(poll, 0, 0);
        for (int i = 0; i < result.r3; i++) {
            if (poll.workRequestIds[i] != i + 1) {
                result.r3 = -1;
            }
        }
    }
}
