package io.rdmanet.loopback;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The stack of free slots with two threads that free, as those that poll different queues do, and
/// one that posts.
///
/// Without the count in its top a late compare-and-set could take an old top for the present one:
/// one slot handed out twice, another never again.
@JCStressTest
@Outcome(id = "0, 0, 2", expect = Expect.ACCEPTABLE, desc = "posted too early; then both")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "one slot was free, then the other")
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "both were free")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "one slot was free at the second try")
@Outcome(expect = Expect.FORBIDDEN, desc = "a slot handed out twice, or lost")
@State
public class PoolSlotsStress {
    private final ReceivePool pool = Prepared.pool(2);
    private final LoopbackPostReceive receive = Prepared.receive(1);

    public PoolSlotsStress() {
        pool.post(receive, 0, 1);
        pool.post(receive, 0, 1);
    }

    @Actor
    public void first() {
        pool.free(0, pool.ticket(0));
    }

    @Actor
    public void second() {
        pool.free(1, pool.ticket(1));
    }

    @Actor
    public void poster(III_Result result) {
        result.r1 = pool.post(receive, 0, 1);
        result.r2 = pool.post(receive, 0, 1);
    }

    @Arbiter
    public void rest(III_Result result) {
        while (pool.post(receive, 0, 1) == 1) {
            result.r3++;
        }
    }
}
