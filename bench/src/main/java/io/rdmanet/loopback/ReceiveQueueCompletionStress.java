package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// The sequence of a completion entry: peer's release, owner's acquire.
///
/// Without the pair the owner could be told of a message that is not there yet: it would read the
/// buffer's old content, or the length and immediate data of the message before.
@JCStressTest
@Outcome(id = "0, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "1, 64, 9, 5", expect = Expect.ACCEPTABLE, desc = "completed, and all of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "completed without its content")
@State
public class ReceiveQueueCompletionStress {
    private final MemorySegment memory = Lines.nextQueuePair();
    private final ReceiveQueue owner = new ReceiveQueue(memory, 1, 1);
    private final RemoteQueuePair peer = new RemoteQueuePair(0, null, memory, null, null);
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    public ReceiveQueueCompletionStress() {
        owner.post(Prepared.receive(7), 0, 1);
    }

    @Actor
    public void peer() {
        memory.set(ValueLayout.JAVA_INT, Lines.PAYLOAD_OFFSET, 5);
        peer.completeReceive(QueuePairDescriptor.outcome(0, 0, true), 64, 9, false);
        peer.show();
    }

    @Actor
    public void owner(IIII_Result result) {
        result.r1 = owner.poll(poll, 0, 0);
        if (result.r1 == 1) {
            result.r2 = poll.byteLengths[0];
            result.r3 = poll.immediates[0];
            result.r4 = memory.get(ValueLayout.JAVA_INT, Lines.PAYLOAD_OFFSET);
        }
    }
}
