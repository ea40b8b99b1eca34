package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.STATE_OFFSET;

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

/// State ERROR against `executing`, as in [QueuePairWork]: the owner writes the one and, after a
/// full fence, reads the other; the peer takes its [ExecutionRight] and reads the state with
/// volatile mode.
///
/// Without the order on either side both could miss each other: the owner would report a receive as
/// flushed, and its buffer as the application's again, while the peer delivers a message to it and
/// reports that as sent.
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "delivered, and reported so")
@Outcome(id = "0, 5", expect = Expect.ACCEPTABLE, desc = "not delivered, flushed")
@Outcome(id = "1, -1", expect = Expect.ACCEPTABLE, desc = "delivered; the owner looks again later")
@Outcome(id = "0, -1", expect = Expect.ACCEPTABLE, desc = "flushed later")
@Outcome(id = "1, 5", expect = Expect.FORBIDDEN, desc = "flushed, and delivered all the same")
@Outcome(expect = Expect.FORBIDDEN, desc = "completed without being delivered")
@State
public class FlushStress {
    private static final int READY = QueuePairState.READY_TO_SEND.code();
    private static final int ERROR = QueuePairState.ERROR.code();
    private static final int FLUSHED = CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code();

    private final MemorySegment ownerMemory = Lines.nextQueuePair();
    private final long state = ownerMemory.address() + STATE_OFFSET;
    private final ReceiveQueue owner = new ReceiveQueue(ownerMemory, 1, 1);
    private final RemoteQueuePair peer = new RemoteQueuePair(0, null, ownerMemory, null, null);
    private final MemorySegment peerMemory = Lines.nextQueuePair();
    private final ExecutionRight right = new ExecutionRight(peerMemory.address());
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    public FlushStress() {
        owner.post(Prepared.receive(1), 0, 1);
        Words.setInt(state, READY);
    }

    @Actor
    public void peer(II_Result result) {
        if (right.tryBegin()) {
            if (peer.isConnectedTo(0, 0)) {
                peer.completeReceive(0, 0, 0, false);
                peer.show();
                result.r1 = 1;
            }
            right.end();
        }
    }

    @Actor
    public void owner(II_Result result) {
        Words.compareAndSetInt(state, READY, ERROR);
        VarHandle.fullFence();
        result.r2 = -1;
        if (!ExecutionRight.isHeld(peerMemory.address()) && owner.flush(poll, 0, 0) == 1) {
            int status = QueuePairDescriptor.status(poll.outcomes[0]);
            result.r2 = status == FLUSHED ? 5 : status;
        }
    }
}
