package io.rdmanet.loopback;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// `SendQueue.freed`: polling thread's release, posting thread's acquire; with a queue of one.
///
/// Without the pair the next request, and so the next completion, could be written into the slot
/// before the poller has read the completion that frees it: the caller would be told of the second
/// request twice and of the first never.
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "polled; posted too early: full")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "polled, then posted into its slot")
@Outcome(expect = Expect.FORBIDDEN, desc = "the slot was re-used while it was read")
@State
public class SendQueueFreedStress {
    private final SendQueue queue = new SendQueue(1, 0, 0, false);
    private final LoopbackPostSend second = Prepared.sends(2, 1);
    private final LoopbackPollCompletions poll = Prepared.poll(2);

    public SendQueueFreedStress() {
        queue.post(Prepared.sends(1, 1).requests(), 0, 1, false);
        queue.complete(0, 0, 1);
        queue.publish();
    }

    @Actor
    public void poller(III_Result result) {
        queue.poll(poll, 0, 0);
        result.r1 = (int) poll.workRequestIds[0];
        result.r2 = poll.byteLengths[0];
    }

    @Actor
    public void poster(III_Result result) {
        result.r3 = queue.post(second.requests(), 0, 1, false);
        if (result.r3 == 1) {
            queue.complete(1, 0, 2);
            queue.publish();
        }
    }
}
