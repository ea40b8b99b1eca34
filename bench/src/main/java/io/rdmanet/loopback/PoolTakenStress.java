package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.ReceivePoolDescriptor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Two takers and one cell: compare-and-set of the cell, and the cursor that either pushes on.
///
/// Without it both could take one receive, and one message would be written over the other; or the
/// cursor would pass a receive that nobody has taken.
@JCStressTest
@Outcome(id = "1, 2, -1", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(id = "2, 1, -1", expect = Expect.ACCEPTABLE, desc = "the other way round")
@Outcome(expect = Expect.FORBIDDEN, desc = "a receive taken twice, or left behind")
@State
public class PoolTakenStress {
    private final ReceivePool pool = Prepared.pool(2);
    private final ReceiveTaker first = new ReceiveTaker(pool.memory().segment());
    private final ReceiveTaker second = new ReceiveTaker(pool.memory().segment());

    public PoolTakenStress() {
        pool.post(Prepared.receive(1), 0, 1);
        pool.post(Prepared.receive(2), 0, 1);
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
    public void third(III_Result result) {
        result.r3 = take(first, 3);
    }

    private int take(ReceiveTaker taker, int queuePairNumber) {
        while (true) {
            long word = taker.peek();
            if (word == 0) {
                return -1;
            }
            if (taker.take(word, queuePairNumber)) {
                return (int) pool.workRequestId(ReceivePoolDescriptor.slot(word));
            }
        }
    }
}
