package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENTS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_BYTES;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_OFFSET_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RECEIVE_COUNT_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RECEIVE_UNSHARED;

import io.rdmanet.loopback.ring.Words;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// What this side knows of posted receives, by slot. Has no cursors and no state: who may touch a
/// slot is the queue's matter.
///
/// In shared memory only what differs is written: a line that nobody writes stays in the caches of
/// both ends. What differs, these columns say: an element of theirs is what its place in shared
/// memory holds, also behind a receive's last and after it was polled, and nobody else writes
/// there.
final class ReceiveColumns {
    private static final int NEVER_FILLED = -1;

    private final int maxElements;
    private final long[] workRequestIds;
    private final LoopbackMemoryRegion[] regions;
    private final long[] offsets;
    private final int[] lengths;
    private final int[] counts;

    ReceiveColumns(int slots, int maxElements) {
        this.maxElements = maxElements;
        workRequestIds = new long[slots];
        regions = new LoopbackMemoryRegion[slots * maxElements];
        offsets = new long[slots * maxElements];
        lengths = new int[slots * maxElements];
        counts = new int[slots];
        Arrays.fill(counts, NEVER_FILLED);
    }

    /// Takes over a prepared receive, and writes it to shared memory.
    ///
    /// @param entry where in shared memory
    /// @return the flags that were written
    int fill(int slot, long entry, LoopbackPostReceive receive, int from) {
        int count = 0;
        int flags = 0;
        boolean isSame = true;
        int source = from * receive.maxElements;
        int target = slot * maxElements;
        for (int i = source; i < source + receive.maxElements; i++) {
            int length = receive.lengths[i];
            if (length != 0) {
                LoopbackMemoryRegion region = receive.regions[i];
                long offset = receive.offsets[i];
                int place = target + count;
                if (regions[place] != region
                        || offsets[place] != offset
                        || lengths[place] != length) {
                    long element = entry + ELEMENTS_OFFSET + (long) count * ELEMENT_BYTES;
                    Words.setLong(element + ELEMENT_OFFSET_OFFSET, offset);
                    Words.setLong(
                            element + ELEMENT_LENGTH_OFFSET, Words.pair(length, region.localKey()));
                    regions[place] = region;
                    offsets[place] = offset;
                    lengths[place] = length;
                    isSame = false;
                }
                if (!region.isShared()) {
                    flags = RECEIVE_UNSHARED;
                }
                count++;
            }
        }
        workRequestIds[slot] = receive.workRequestIds[from];
        if (!isSame || counts[slot] != count) {
            counts[slot] = count;
            Words.setLong(entry + RECEIVE_COUNT_OFFSET, Words.pair(count, flags));
        }
        return flags;
    }

    long workRequestId(int slot) {
        return workRequestIds[slot];
    }

    /// Whether a slot's receive names the region.
    boolean names(int slot, LoopbackMemoryRegion region) {
        for (int i = 0; i < counts[slot]; i++) {
            if (regions[slot * maxElements + i] == region) {
                return true;
            }
        }
        return false;
    }

    /// Copies data of a message to where its receive says.
    ///
    /// @param skip where in the message the data belongs
    void scatter(int slot, long skip, MemorySegment source, long sourceOffset, long length) {
        long start = 0;
        long done = 0;
        for (int i = 0; i < counts[slot] && done < length; i++) {
            int index = slot * maxElements + i;
            long end = start + lengths[index];
            long at = skip + done;
            if (at < end) {
                long part = Math.min(length - done, end - at);
                MemorySegment own = regions[index].segment();
                MemorySegment.copy(
                        source, sourceOffset + done, own, offsets[index] + at - start, part);
                done += part;
            }
            start = end;
        }
    }
}
