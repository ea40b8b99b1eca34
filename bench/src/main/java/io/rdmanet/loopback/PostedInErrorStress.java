package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.STATE_OFFSET;

import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// State ERROR against `ReceiveQueue.posted`, as in [QueuePairWork]: the poster posts a receive,
/// and after a full fence looks for the error, to cause an event; the failing thread sets the
/// error, and after a full fence causes an event, upon which the poller flushes what is posted.
///
/// Without either fence both could miss each other: a receive posted just as the queue pair fails
/// would be flushed by nobody, and who waits for it would wait for ever.
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the poster causes an event")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "flushed upon the failure's event")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "neither flushed nor an event for it")
@State
public class PostedInErrorStress {
    private static final int READY = QueuePairState.READY_TO_SEND.code();
    private static final int ERROR = QueuePairState.ERROR.code();

    private final MemorySegment memory = Lines.nextQueuePair();
    private final long state = memory.address() + STATE_OFFSET;
    private final ReceiveQueue owner = new ReceiveQueue(memory, 1, 1);
    private final LoopbackPostReceive receive = Prepared.receive(1);
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    public PostedInErrorStress() {
        Words.setInt(state, READY);
    }

    @Actor
    public void poster(II_Result result) {
        owner.post(receive, 0, 1);
        VarHandle.fullFence();
        result.r1 = Words.intAcquire(state) == ERROR ? 1 : 0;
    }

    @Actor
    public void poller(II_Result result) {
        Words.compareAndSetInt(state, READY, ERROR);
        VarHandle.fullFence();
        result.r2 = owner.flush(poll, 0, 0);
    }
}
