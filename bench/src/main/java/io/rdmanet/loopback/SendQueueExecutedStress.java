package io.rdmanet.loopback;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// `SendQueue.executed`: executing thread's release, acquire by a thread that closes a region.
///
/// Without the pair a region could count as unused before the last read of it: its memory would be
/// freed, or hold something else, under the copy.
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "still in use")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "read, then free")
@Outcome(expect = Expect.FORBIDDEN, desc = "the memory was free before it was read")
@State
public class SendQueueExecutedStress {
    private final SendQueue queue = new SendQueue(1, 0, 0, false);
    private int memory = 1;

    public SendQueueExecutedStress() {
        queue.post(Prepared.sends(7, 1).requests(), 0, 1, false);
    }

    @Actor
    public void executor(II_Result result) {
        result.r1 = memory;
        queue.complete(0, 0, 0);
        queue.publish();
    }

    @Actor
    public void closer(II_Result result) {
        if (!queue.hasUnfinished()) {
            result.r2 = 1;
            memory = 2;
        }
    }
}
