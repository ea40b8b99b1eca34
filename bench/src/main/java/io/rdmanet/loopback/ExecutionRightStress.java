package io.rdmanet.loopback;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// [ExecutionRight]: release by one holder, compare-and-set by the next; it carries the plain
/// fields of [SendQueue] from thread to thread.
///
/// Without the pair the second holder could see an old position and execute a request again, or
/// write its completion over the first one's: messages twice, completions lost.
@JCStressTest
@Outcome(id = "1, 2, 2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(id = "2, 1, 2", expect = Expect.ACCEPTABLE, desc = "the other way round")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the second found it taken")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "the first found it taken")
@Outcome(expect = Expect.FORBIDDEN, desc = "a request executed twice, or a completion lost")
@State
public class ExecutionRightStress {
    private final ExecutionRight right = new ExecutionRight(Lines.next().address());
    private final SendQueue queue = new SendQueue(2, 0, 0, false);
    private final LoopbackPollCompletions poll = Prepared.poll(2);

    public ExecutionRightStress() {
        queue.post(Prepared.sends(1, 2).requests(), 0, 2, false);
    }

    @Actor
    public void first(III_Result result) {
        result.r1 = executeOne();
    }

    @Actor
    public void second(III_Result result) {
        result.r2 = executeOne();
    }

    @Arbiter
    public void poll(III_Result result) {
        result.r3 = queue.poll(poll, 0, 0);
        for (int i = 0; i < result.r3; i++) {
            if (poll.workRequestIds[i] != i + 1) {
                result.r3 = -1;
            }
        }
    }

    /// @return the identifier of the request, 0 if somebody else is executing
    private int executeOne() {
        if (!right.tryBegin()) {
            return 0;
        }
        long position = queue.executed();
        int id = queue.requests().immediate(queue.slot(position));
        queue.complete(position, 0, 0);
        queue.publish();
        right.end();
        return id;
    }
}
