package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENTS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_KEY_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_OFFSET_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RECEIVE_COUNT_OFFSET;

import io.rdmanet.loopback.ring.Words;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/// The sequence of a receive entry: owner's release, peer's acquire.
///
/// Without the pair the peer could see that a receive is posted, and write the message to where the
/// slot's former receive pointed: into a buffer that is the application's again.
@JCStressTest
@Outcome(id = "0, 0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not posted yet")
@Outcome(id = "1, 8, 64, 1", expect = Expect.ACCEPTABLE, desc = "posted, and all of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "posted without its element")
@State
public class ReceiveQueuePostedStress {
    private final MemorySegment memory = Lines.nextQueuePair();
    private final ReceiveQueue owner = new ReceiveQueue(memory, 1, 1);
    private final RemoteQueuePair peer = new RemoteQueuePair(0, null, memory, null, null);
    private final LoopbackPostReceive receive = new LoopbackPostReceive(null, null, 1, 1);

    public ReceiveQueuePostedStress() {
        receive.regions[0] = StressDevice.REGION;
        receive.offsets[0] = 8;
        receive.lengths[0] = 64;
    }

    @Actor
    public void owner() {
        owner.post(receive, 0, 1);
    }

    @Actor
    public void peer(IIII_Result result) {
        long entry = peer.nextReceive();
        if (entry != 0) {
            long element = entry + ELEMENTS_OFFSET;
            int key = Words.intAt(element + ELEMENT_KEY_OFFSET);
            result.r1 = Words.intAt(entry + RECEIVE_COUNT_OFFSET);
            result.r2 = (int) Words.longAt(element + ELEMENT_OFFSET_OFFSET);
            result.r3 = Words.intAt(element + ELEMENT_LENGTH_OFFSET);
            result.r4 = key == StressDevice.REGION.localKey() ? 1 : -1;
        }
    }
}
