package io.rdmanet.loopback.memory;

import static io.rdmanet.loopback.ring.RegionTableDescriptor.REGION_ID_OFFSET;

import io.rdmanet.loopback.Lines;
import io.rdmanet.loopback.ring.Words;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// The region id of a [RegionTable] entry that opens: owner's release, peer's acquire.
///
/// Without the pair a peer could find the region, and check a request against the bounds, the
/// access or the domain of the region that had the entry before: writes where none are allowed.
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "not open yet")
@Outcome(id = "1, 1, 3", expect = Expect.ACCEPTABLE, desc = "open, and all of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "open without its fields")
@State
public class RegionOpenedStress {
    private final MemorySegment piece = Lines.next();
    private final long entry = piece.address();

    @Actor
    public void owner() {
        RegionTable.publish(entry, 1, 4096, 64, 15, 3, 257, true);
    }

    @Actor
    public void peer(III_Result result) {
        long regionId = Words.longAcquire(entry + REGION_ID_OFFSET);
        if (regionId != 0) {
            PeerRegion region =
                    new PeerRegion(piece, regionId, 257, true, MemorySegment.NULL, null);
            result.r1 = region.offsetOf(4096, 64) == 0 ? 1 : -1;
            result.r2 = region.allows(15) ? 1 : -1;
            result.r3 = region.domain();
        }
    }
}
