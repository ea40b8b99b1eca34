package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.ARMED_ANY;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ARMED_OFFSET;

import io.rdmanet.loopback.ring.Words;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// `armed` in shared memory against a completion entry: the owner arms, and after a full fence
/// polls; the peer completes, and after a full fence looks whether to wake the owner.
///
/// Without either fence both could miss each other: the owner would sleep on a message that has
/// arrived, until the next one comes, which may be never.
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "woken")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "found by polling")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "asleep on a completion")
@State
public class ArmedStress {
    private final MemorySegment memory = Lines.nextQueuePair();
    private final ReceiveQueue owner = new ReceiveQueue(memory, 1, 1);
    private final RemoteQueuePair peer = new RemoteQueuePair(0, null, memory, null, null);
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    public ArmedStress() {
        owner.post(Prepared.receive(1), 0, 1);
    }

    @Actor
    public void peer(II_Result result) {
        peer.completeReceive(0, 0, 0, false);
        peer.show();
        result.r1 = peer.disarm(false) ? 1 : 0;
    }

    @Actor
    public void owner(II_Result result) {
        Words.setIntVolatile(memory.address() + ARMED_OFFSET, ARMED_ANY);
        VarHandle.fullFence();
        result.r2 = owner.poll(poll, 0, 0);
    }
}
