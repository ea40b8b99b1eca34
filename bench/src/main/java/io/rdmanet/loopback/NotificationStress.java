package io.rdmanet.loopback;

import io.rdmanet.verbs.VerbsException;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// `LoopbackCompletionQueue.armed` against [SendQueue]'s reported completions, with the real queue
/// and channel: the poller asks for an event, and polls; the executing thread publishes, and after
/// a full fence reports.
///
/// Without either fence both could miss each other: the poller would block on the channel while its
/// send has long completed.
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "an event")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "found by polling")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "asleep on a completion")
@State
public class NotificationStress {
    private final LoopbackCompletionChannel channel =
            new LoopbackCompletionChannel(StressDevice.CONTEXT);
    private final LoopbackCompletionQueue completions =
            new LoopbackCompletionQueue(StressDevice.CONTEXT, 1, channel);
    private final SendQueue queue = new SendQueue(1, 0, 0, false);
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    public NotificationStress() {
        queue.post(Prepared.sends(1, 1).requests(), 0, 1, false);
    }

    @Actor
    public void executor() {
        queue.complete(0, 0, 0);
        queue.publish();
        VarHandle.fullFence();
        completions.onCompletion(false);
    }

    @Actor
    public void poller(II_Result result) {
        try {
            completions.requestNotification(false);
            result.r2 = queue.poll(poll, 0, 0);
        } catch (VerbsException e) {
            throw new AssertionError(e);
        }
    }

    @Arbiter
    public void event(II_Result result) {
        try {
            result.r1 = channel.awaitEvent(0) == completions ? 1 : 0;
        } catch (VerbsException e) {
            throw new AssertionError(e);
        }
    }
}
