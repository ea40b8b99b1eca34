package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.STATE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.UNCLAIMED;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// State ERROR against the claim, as in [WriterWatch]: the owner writes the one and, after a full
/// fence, reads the other; who delivers takes the claim and reads the state with volatile mode.
///
/// Without the order on either side both could miss each other: the owner would report a receive as
/// flushed while a datagram is written to it.
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "delivered, and reported so")
@Outcome(id = "0, 5", expect = Expect.ACCEPTABLE, desc = "not delivered, flushed")
@Outcome(id = "1, -1", expect = Expect.ACCEPTABLE, desc = "delivered; the owner looks again later")
@Outcome(id = "0, -1", expect = Expect.ACCEPTABLE, desc = "flushed later")
@Outcome(id = "1, 5", expect = Expect.FORBIDDEN, desc = "flushed, and delivered all the same")
@Outcome(expect = Expect.FORBIDDEN, desc = "completed without being delivered")
@State
public class DatagramFlushStress {
    private static final int READY = QueuePairState.READY_TO_RECEIVE.code();
    private static final int ERROR = QueuePairState.ERROR.code();
    private static final int FLUSHED = CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code();

    private final ReceivePool pool = Prepared.pool(1);
    private final MemorySegment memory = Lines.nextPooled(1);
    private final PooledReceives owner = new PooledReceives(memory, 1, pool, true);
    private final DatagramClaim claim = new DatagramClaim(memory.address());
    private final RemoteQueuePair peer = Prepared.peerOf(memory, pool);
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    public DatagramFlushStress() {
        pool.post(Prepared.receive(1), 0, 1);
    }

    @Actor
    public void peer(II_Result result) {
        result.r1 = Prepared.deliver(peer, 1);
    }

    @Actor
    public void owner(II_Result result) {
        Words.compareAndSetInt(memory.address() + STATE_OFFSET, READY, ERROR);
        VarHandle.fullFence();
        result.r2 = -1;
        if (claim.holder() == UNCLAIMED && owner.flush(poll, 0, 0) == 1) {
            int status = QueuePairDescriptor.status(poll.outcomes[0]);
            result.r2 = status == FLUSHED ? 5 : status;
        }
    }
}
