package io.rdmanet.loopback.memory;

import static io.rdmanet.loopback.ring.RegionTableDescriptor.REGION_ID_OFFSET;

import io.rdmanet.loopback.Lines;
import io.rdmanet.loopback.ring.Words;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The region id of a [RegionTable] entry that is used again: the owner takes it away, and after a
/// store fence writes the next region's fields; the peer reads the fields, and after a load fence
/// looks at the id again, as in [PeerRegions].
///
/// Without either fence the peer could take the next region's bounds and access for those of the
/// first, whose memory it has mapped: writes beyond a mapping, which end the process.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "closed meanwhile: not used")
@Outcome(id = "1, 1, 3", expect = Expect.ACCEPTABLE, desc = "the first, and all of it")
@Outcome(id = "2, 2, 4", expect = Expect.ACCEPTABLE, desc = "the second, and all of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "a mixture")
@State
public class RegionClosedStress {
    private static final int KEY = 257;

    private final MemorySegment piece = Lines.next();
    private final long entry = piece.address();

    public RegionClosedStress() {
        RegionTable.publish(entry, 1, 4096, 64, 15, 3, KEY, true);
    }

    @Actor
    public void owner() {
        RegionTable.withdraw(entry);
        RegionTable.publish(entry, 2, 8192, 128, 1, 4, KEY, true);
    }

    @Actor
    public void peer(III_Result result) {
        long regionId = Words.longAcquire(entry + REGION_ID_OFFSET);
        if (regionId != 0) {
            PeerRegion region =
                    new PeerRegion(piece, regionId, KEY, true, MemorySegment.NULL, null);
            VarHandle.loadLoadFence();
            if (region.isOpen()) {
                result.r1 =
                        region.offsetOf(4096, 64) == 0
                                ? 1
                                : region.offsetOf(8192, 128) == 0 ? 2 : -1;
                result.r2 = region.allows(15) ? 1 : 2;
                result.r3 = region.domain();
            }
        }
    }
}
