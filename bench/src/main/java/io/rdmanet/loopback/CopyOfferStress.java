package io.rdmanet.loopback;

import io.rdmanet.loopback.memory.PeerFiles;
import io.rdmanet.loopback.memory.PeerRegion;
import io.rdmanet.loopback.memory.PeerRegions;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.verbs.AccessFlag;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The words `parts` and `helped` of a copy offer: a sender that offers two parts, and a helper who
/// takes some of them or none.
///
/// Without the release of `parts` the helper could copy what the source held before; without that
/// of `helped` the sender could see its message complete, and its bytes not there. A part that
/// neither takes, or both, would show as well.
@JCStressTest
@Outcome(id = "0, 5, 6", expect = Expect.ACCEPTABLE, desc = "copied, all of it")
@Outcome(id = "-3, .*, .*", expect = Expect.ACCEPTABLE, desc = "the helper has lost its processor")
@Outcome(expect = Expect.FORBIDDEN, desc = "complete without its bytes")
@State
public class CopyOfferStress {
    private static final int PART = Integer.BYTES;
    private static final int MESSAGE = 2 * PART;
    private static final int PIECE = 2 * MESSAGE;
    private static final int PIECES = 1 << 16;
    private static final ExecutionRight RIGHT = new ExecutionRight(Lines.next().address());
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final LoopbackMemoryRegion REGION;
    private static final PeerRegion MAPPED_BY_PEER;

    /// Keeps what is mapped.
    @SuppressWarnings("unused")
    private static final PeerRegions REGIONS;

    static {
        try {
            REGION =
                    LoopbackMemoryRegion.allocate(
                            StressDevice.CONTEXT.allocateProtectionDomain(),
                            (long) PIECES * PIECE,
                            EnumSet.allOf(AccessFlag.class));
            REGIONS = new PeerRegions(new PeerFiles(StressDevice.CONTEXT.hub().instance().gid()));
            MAPPED_BY_PEER = REGIONS.find(REGION.localKey());
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemorySegment memory = Lines.nextQueuePair();
    private final long base = memory.address() + QueuePairDescriptor.COPY_OFFER_OFFSET;
    private final ReceiveQueue receives = new ReceiveQueue(memory, 1, 1);
    private final CopyOffer offer = new CopyOffer(base, PART);
    private final CopyHelp help = new CopyHelp(base, receives);
    private final SendRequests requests = new SendRequests(1, 1, 0, null);
    private final long source = (long) (NEXT.getAndIncrement() & (PIECES - 1)) * PIECE;
    private final long target = source + MESSAGE;

    public CopyOfferStress() {
        REGION.segment().asSlice(source, PIECE).fill((byte) 0);
        requests.element(0, 0, REGION, source, MESSAGE);
        receives.post(Prepared.receive(REGION, target, MESSAGE), 0, 1);
    }

    @Actor
    public void sender(III_Result result) {
        MemorySegment segment = REGION.segment();
        segment.set(ValueLayout.JAVA_INT, source, 5);
        segment.set(ValueLayout.JAVA_INT, source + PART, 6);
        int ignored = offer.readiness();
        result.r1 = offer.copy(requests, 0, MESSAGE, 0, segment, target);
        result.r2 = segment.get(ValueLayout.JAVA_INT, target);
        result.r3 = segment.get(ValueLayout.JAVA_INT, target + PART);
    }

    @Actor
    public void helper() {
        if (help.isWanted()) {
            help.help((key, right) -> MAPPED_BY_PEER, RIGHT);
        }
    }
}
