package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.ReceivePoolDescriptor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Whose a taken receive is, while its cell is used again: the poster notes the taker, and then
/// writes the cell with release; whoever asks reads the cell with acquire, and then the note.
///
/// Without the pair a queue pair that has failed could miss a receive that was taken for it: never
/// reported, and its memory in use for ever.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "found")
@Outcome(expect = Expect.FORBIDDEN, desc = "missed")
@State
public class PoolTakerStress {
    private final ReceivePool pool = Prepared.pool(2);
    private final LoopbackPostReceive receive = Prepared.receive(1);
    private final int kept;

    public PoolTakerStress() {
        ReceiveTaker taker = new ReceiveTaker(pool.memory().segment());
        pool.post(receive, 0, 1);
        long word = taker.peek();
        taker.take(word, 5);
        kept = ReceivePoolDescriptor.slot(word);
        pool.post(receive, 0, 1);
        word = taker.peek();
        taker.take(word, 6);
        pool.free(ReceivePoolDescriptor.slot(word), taker.ticket());
    }

    @Actor
    public void poster() {
        pool.post(receive, 0, 1); // into the cell of the one that was kept
    }

    @Actor
    public void asker(I_Result result) {
        result.r1 = pool.slotTakenBy(5, 0) - kept;
    }
}
