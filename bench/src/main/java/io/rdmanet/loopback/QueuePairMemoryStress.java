package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.CAPACITY_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.DOMAIN_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MAGIC;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MAGIC_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.STRIDE_OFFSET;

import io.rdmanet.loopback.ring.Words;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The magic number of a queue pair's memory, as in [QueuePairMemory] and [RemoteQueuePair]:
/// owner's release, attaching peer's acquire. They work with files, so their words are used here
/// directly.
///
/// Without the pair a peer that attaches early could take rings of no entries for the real ones,
/// and write its messages to where nobody looks.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not there yet: attaching fails")
@Outcome(id = "8, 64, 3", expect = Expect.ACCEPTABLE, desc = "there, and all of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "there without its layout")
@State
public class QueuePairMemoryStress {
    private final long base = Lines.next().address();

    @Actor
    public void owner() {
        Words.setInt(base + CAPACITY_OFFSET, 8);
        Words.setInt(base + STRIDE_OFFSET, 64);
        Words.setInt(base + DOMAIN_OFFSET, 3);
        Words.setLongRelease(base + MAGIC_OFFSET, MAGIC);
    }

    @Actor
    public void peer(III_Result result) {
        if (Words.longAcquire(base + MAGIC_OFFSET) == MAGIC) {
            result.r1 = Words.intAt(base + CAPACITY_OFFSET);
            result.r2 = Words.intAt(base + STRIDE_OFFSET);
            result.r3 = Words.intAt(base + DOMAIN_OFFSET);
        }
    }
}
