package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.ACCESS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MIN_RNR_TIMER_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.PEER_ID_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.PEER_NUMBER_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.STATE_OFFSET;

import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.QueuePairState;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// State READY_TO_RECEIVE in shared memory: owner's compare-and-set, peer's volatile read; it
/// publishes the attributes.
///
/// Without the pair the peer could see that the owner is ready, and take it for connected to
/// somebody else, or a request for one that the access flags forbid: both ends would fail.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not ready yet")
@Outcome(id = "1, 15, 12", expect = Expect.ACCEPTABLE, desc = "ready, and all attributes")
@Outcome(expect = Expect.FORBIDDEN, desc = "ready without its attributes")
@State
public class ConnectedStress {
    private static final int INIT = QueuePairState.INIT.code();
    private static final int READY = QueuePairState.READY_TO_RECEIVE.code();

    private final MemorySegment memory = Lines.nextQueuePair();
    private final long base = memory.address();
    private final RemoteQueuePair peer = new RemoteQueuePair(0, null, memory, null, null);

    public ConnectedStress() {
        Words.setInt(base + STATE_OFFSET, INIT);
    }

    @Actor
    public void owner() {
        Words.setInt(base + ACCESS_OFFSET, 15);
        Words.setInt(base + MIN_RNR_TIMER_OFFSET, 12);
        Words.setInt(base + PEER_NUMBER_OFFSET, 7);
        Words.setLong(base + PEER_ID_OFFSET, 8);
        Words.compareAndSetInt(base + STATE_OFFSET, INIT, READY);
    }

    @Actor
    public void peer(III_Result result) {
        if (peer.isConnectedTo(7, 8)) {
            result.r1 = 1;
            result.r2 = peer.allows(15) ? 15 : -1;
            result.r3 = peer.minRnrTimer();
        } else if (Words.intVolatile(base + STATE_OFFSET) == READY && !peer.isConnectedTo(7, 8)) {
            result.r1 = -1;
        }
    }
}
