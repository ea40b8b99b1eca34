package io.rdmanet.loopback;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// `SendQueue.posted`: poster's release, executing thread's acquire.
///
/// Without the pair the executing thread could see that a request is there, and still find in its
/// columns what the slot's former request left: it would send old data to an old address.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not posted yet")
@Outcome(id = "1, 7, 7", expect = Expect.ACCEPTABLE, desc = "posted, and all of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "posted without its columns")
@State
public class SendQueuePostedStress {
    private final SendQueue queue = new SendQueue(1, 0, 0, false);
    private final LoopbackPostSend send = Prepared.sends(7, 1);

    @Actor
    public void poster() {
        queue.post(send.requests(), 0, 1, false);
    }

    @Actor
    public void executor(III_Result result) {
        long end = queue.postedAcquire();
        if (end > queue.executed()) {
            int slot = queue.slot(0);
            result.r1 = (int) end;
            result.r2 = queue.requests().immediate(slot);
            result.r3 = (int) queue.requests().remoteAddress(slot);
        }
    }
}
