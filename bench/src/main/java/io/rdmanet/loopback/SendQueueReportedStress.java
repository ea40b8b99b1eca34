package io.rdmanet.loopback;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// `SendQueue.reported`: executing thread's release, polling thread's acquire.
///
/// Without the pair the poller could see that there is a completion, and read the identifier or the
/// length of the one that was in its place before: the caller would re-use the wrong buffer.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not reported yet")
@Outcome(id = "1, 7, 64", expect = Expect.ACCEPTABLE, desc = "reported, and all of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "reported without its columns")
@State
public class SendQueueReportedStress {
    private final SendQueue queue = new SendQueue(1, 0, 0, false);
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    public SendQueueReportedStress() {
        queue.post(Prepared.sends(7, 1).requests(), 0, 1, false);
    }

    @Actor
    public void executor() {
        queue.complete(0, 0, 64);
        queue.publish();
    }

    @Actor
    public void poller(III_Result result) {
        result.r1 = queue.poll(poll, 0, 0);
        result.r2 = (int) poll.workRequestIds[0];
        result.r3 = poll.byteLengths[0];
    }
}
