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

/// The sequence of a datagram's completion entry: deliverer's release, owner's acquire.
///
/// Without the pair the owner could report another receive than was filled, or another sender.
@JCStressTest
@Outcome(id = "0, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "7, 64, 9, 5", expect = Expect.ACCEPTABLE, desc = "completed, and all of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "completed without its content")
@State
public class PooledCompletionStress {
    private final ReceivePool pool = Prepared.pool(1);
    private final MemorySegment memory = Lines.nextPooled(1);
    private final PooledReceives owner = new PooledReceives(memory, 1, pool, true);
    private final RemoteQueuePair peer = Prepared.peerOf(memory, pool);
    private final LoopbackPollCompletions poll = Prepared.poll(1);

    public PooledCompletionStress() {
        pool.post(Prepared.receive(7), 0, 1);
    }

    @Actor
    public void peer() {
        if (peer.nextDatagramReceive(0) != 0) {
            memory.set(ValueLayout.JAVA_INT, Lines.PAYLOAD_OFFSET, 5);
            peer.completeDatagram(QueuePairDescriptor.outcome(0, 0, true), 64, 0, false, 9);
        }
    }

    @Actor
    public void owner(IIII_Result result) {
        if (owner.poll(poll, 0, 0) == 1) {
            result.r1 = (int) poll.workRequestIds[0];
            result.r2 = poll.byteLengths[0];
            result.r3 = poll.sourceQueuePairs[0];
            result.r4 = memory.get(ValueLayout.JAVA_INT, Lines.PAYLOAD_OFFSET);
        }
    }
}
