package io.rdmanet.loopback;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The limit of a pool: two takers, of which each finds that fewer are left; compare-and-set.
///
/// Without it both could report it, though it was asked for once.
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the first reports it")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "the second does")
@Outcome(expect = Expect.FORBIDDEN, desc = "reported twice, or never")
@State
public class PoolLimitStress {
    private final ReceivePool pool = Prepared.pool(2);
    private final ReceiveTaker first = new ReceiveTaker(pool.memory().segment());
    private final ReceiveTaker second = new ReceiveTaker(pool.memory().segment());

    public PoolLimitStress() {
        pool.post(Prepared.receive(1), 0, 1);
        pool.post(Prepared.receive(2), 0, 1);
        pool.arm(2);
    }

    @Actor
    public void first(III_Result result) {
        result.r1 = take(first, 1);
    }

    @Actor
    public void second(III_Result result) {
        result.r2 = take(second, 2);
    }

    @Arbiter
    public void owner(III_Result result) {
        result.r3 = pool.hasReachedLimit() ? 1 : 0;
    }

    private static int take(ReceiveTaker taker, int queuePairNumber) {
        long word = taker.peek();
        while (!taker.take(word, queuePairNumber)) {
            word = taker.peek();
        }
        return taker.reachesLimit() ? 1 : 0;
    }
}
