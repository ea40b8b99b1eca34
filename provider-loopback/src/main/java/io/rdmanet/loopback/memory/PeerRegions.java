package io.rdmanet.loopback.memory;

import io.rdmanet.loopback.ring.RegionTableDescriptor;
import io.rdmanet.loopback.ring.Words;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The regions of a peer that one queue pair has reached so far, mapped when first needed.
///
/// Belongs to the holder of the queue pair's execution right, and so does closing it.
public final class PeerRegions {
    private final PeerFiles files;
    private final MemorySegment table;
    private final List<PeerRegion> mapped = new ArrayList<>();
    private @Nullable PeerRegion last;

    /// Maps the peer's table.
    ///
    /// @throws IOException if the peer has gone
    public PeerRegions(PeerFiles files) throws IOException {
        this.files = files;
        table = files.map(RegionTableDescriptor.FILE_NAME, Arena.ofAuto());
    }

    /// The region that a key names now, or null if it names none.
    public @Nullable PeerRegion find(int key) {
        PeerRegion candidate = last;
        if (candidate != null && candidate.key() == key && candidate.isOpen()) {
            return candidate;
        }
        return findSlowly(key);
    }

    /// Unmaps everything.
    public void close() {
        last = null;
        mapped.forEach(PeerRegion::close);
        mapped.clear();
    }

    private @Nullable PeerRegion findSlowly(int key) {
        last = null;
        for (int i = mapped.size() - 1; i >= 0; i--) {
            PeerRegion region = mapped.get(i);
            if (!region.isOpen()) {
                region.close();
                mapped.remove(i);
            } else if (region.key() == key) {
                last = region;
            }
        }
        if (last == null) {
            last = open(key);
        }
        return last;
    }

    private @Nullable PeerRegion open(int key) {
        int index = RegionTableDescriptor.index(key);
        if (index >= RegionTableDescriptor.CAPACITY) {
            return null;
        }
        MemorySegment entrySegment =
                table.asSlice(
                        (long) index * RegionTableDescriptor.ENTRY_BYTES,
                        RegionTableDescriptor.ENTRY_BYTES);
        long entry = entrySegment.address();
        long regionId = Words.longAcquire(entry + RegionTableDescriptor.REGION_ID_OFFSET);
        if (regionId == 0 || Words.intAt(entry + RegionTableDescriptor.KEY_OFFSET) != key) {
            return null;
        }
        PeerRegion region = map(entrySegment, regionId, key);
        if (region == null) {
            return null;
        }
        // What was read of the entry is the region's only if the id is still there afterwards.
        VarHandle.loadLoadFence();
        if (!region.isOpen()) {
            region.close();
            return null;
        }
        mapped.add(region);
        return region;
    }

    private @Nullable PeerRegion map(MemorySegment entrySegment, long regionId, int key) {
        boolean isShared =
                Words.intAt(entrySegment.address() + RegionTableDescriptor.IS_SHARED_OFFSET) != 0;
        @SuppressWarnings("MustBeClosedChecker") // lives as long as the region
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory =
                    isShared
                            ? files.map(RegionTableDescriptor.fileName(regionId), arena)
                            : MemorySegment.NULL;
            return new PeerRegion(entrySegment, regionId, key, isShared, memory, arena);
        } catch (IOException goneMeanwhile) {
            arena.close();
            return null;
        }
    }
}
