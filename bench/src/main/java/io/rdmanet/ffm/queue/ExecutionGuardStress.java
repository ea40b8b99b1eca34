package io.rdmanet.ffm.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// [ExecutionGuard]: the executing thread notes that it is inside and looks whether the object is
/// closed; the closing thread does the reverse, with the handshake between.
///
/// Without the handshake both could miss the other's note: the queue pair would be destroyed while
/// a request is posted to it.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "came too late")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "was waited for")
@Outcome(expect = Expect.FORBIDDEN, desc = "inside after the end")
@State
public class ExecutionGuardStress {
    private final ExecutionGuard guard = new ExecutionGuard();
    private boolean isDestroyed;

    @Actor
    public void execute(I_Result result) {
        if (guard.tryEnter()) {
            result.r1 = isDestroyed ? 2 : 1;
            guard.leave();
        }
    }

    @Actor
    public void close() {
        if (guard.tryClose()) {
            isDestroyed = true;
        }
    }
}
