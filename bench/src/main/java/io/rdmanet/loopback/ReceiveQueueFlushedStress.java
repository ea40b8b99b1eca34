package io.rdmanet.loopback;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// `ReceiveQueue.posted`: posting thread's release, acquire by the polling thread that flushes.
///
/// Without the pair a flushed receive could be reported by the identifier that its slot had before:
/// the caller would free one buffer twice and another never.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not posted yet")
@Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "posted, and flushed by its identifier")
@Outcome(expect = Expect.FORBIDDEN, desc = "flushed by another identifier")
@State
public class ReceiveQueueFlushedStress {
    private final ReceiveQueue owner = new ReceiveQueue(Lines.nextQueuePair(), 1, 1);
    private final LoopbackPostReceive receive = Prepared.receive(7);
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    @Actor
    public void poster() {
        owner.post(receive, 0, 1);
    }

    @Actor
    public void poller(II_Result result) {
        result.r1 = owner.flush(poll, 0, 0);
        result.r2 = (int) poll.workRequestIds[0];
    }
}
