package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENTS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_OFFSET_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RECEIVE_COUNT_OFFSET;

import io.rdmanet.loopback.ring.ReceivePoolDescriptor;
import io.rdmanet.loopback.ring.Words;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// The cell of a receive in a pool: owner's release, taker's acquire.
///
/// Without the pair a taker could write its message to where the slot's former receive pointed.
@JCStressTest
@Outcome(id = "0, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not posted yet")
@Outcome(id = "1, 8, 64, 7", expect = Expect.ACCEPTABLE, desc = "posted, and all of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "posted without its content")
@State
public class PoolPostedStress {
    private final ReceivePool pool = Prepared.pool(1);
    private final ReceiveTaker taker = new ReceiveTaker(pool.memory().segment());
    private final LoopbackPostReceive receive = new LoopbackPostReceive(null, null, 1, 1);

    public PoolPostedStress() {
        receive.request(0).workRequestId(7);
        receive.regions[0] = StressDevice.REGION;
        receive.offsets[0] = 8;
        receive.lengths[0] = 64;
    }

    @Actor
    public void owner() {
        pool.post(receive, 0, 1);
    }

    @Actor
    public void taker(IIII_Result result) {
        long word = taker.peek();
        if (word != 0 && taker.take(word, 1)) {
            int slot = ReceivePoolDescriptor.slot(word);
            long element = taker.entry(slot) + ELEMENTS_OFFSET;
            result.r1 = Words.intAt(taker.entry(slot) + RECEIVE_COUNT_OFFSET);
            result.r2 = (int) Words.longAt(element + ELEMENT_OFFSET_OFFSET);
            result.r3 = Words.intAt(element + ELEMENT_LENGTH_OFFSET);
            result.r4 = (int) pool.workRequestId(slot);
        }
    }
}
