package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.CopyOfferDescriptor.HELPED_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.KEY_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.PARTS_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.PART_BYTES_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.POSITION_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.SKIP_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.SOURCE_OFFSET;

import io.rdmanet.loopback.memory.PeerRegion;
import io.rdmanet.loopback.ring.CopyOfferDescriptor;
import io.rdmanet.loopback.ring.Words;
import org.jspecify.annotations.Nullable;

/// Copies parts of a long message that the peer is sending to this queue pair, while its owner
/// polls and finds nothing: the other side of [CopyOffer].
///
/// The peer's region stays mapped here until a message comes out of another one.
///
/// Belongs to the polling thread.
final class CopyHelp {
    /// Finds the peer's region, or null if it cannot be had now.
    interface Regions {
        @Nullable PeerRegion find(int key, ExecutionRight right);
    }

    private final long base;
    private final ReceiveQueue receives;
    private @Nullable PeerRegion source;

    /// @param base the address of the offer in this queue pair's memory, which the receives keep
    ///   mapped
    CopyHelp(long base, ReceiveQueue receives) {
        this.base = base;
        this.receives = receives;
    }

    /// Whether there is something to help with.
    boolean isWanted() {
        return CopyOfferDescriptor.isAnyLeft(Words.longAcquire(base + PARTS_OFFSET));
    }

    /// Takes parts of the message that is being sent as long as there are any, and copies them. The
    /// queue pair is one that may be written to, and is known to be written to until this returns.
    ///
    /// @param right of this life of the queue pair
    void help(Regions regions, ExecutionRight right) {
        long parts = Words.longAcquire(base + PARTS_OFFSET);
        int number = CopyOfferDescriptor.number(parts);
        int finished = CopyOfferDescriptor.fromBack(parts);
        int length = Words.intAt(base + LENGTH_OFFSET);
        int partBytes = Words.intAt(base + PART_BYTES_OFFSET);
        long from = Words.longAt(base + SOURCE_OFFSET);
        long position = Words.longAt(base + POSITION_OFFSET);
        long skip = Words.longAt(base + SKIP_OFFSET);
        PeerRegion region = null;
        if (hasFinished(number, finished) && partBytes > 0 && receives.isNext(position)) {
            region = find(regions, right, Words.intAt(base + KEY_OFFSET));
        }
        if (region == null || !region.isShared() || !region.contains(from, length)) {
            return;
        }
        // Of no other offer: taking a part fails if the number is another one by now.
        while (CopyOfferDescriptor.number(parts) == number
                && CopyOfferDescriptor.isAnyLeft(parts)) {
            long taken = CopyOfferDescriptor.takenFromBack(parts);
            if (Words.compareAndSetLong(base + PARTS_OFFSET, parts, taken)) {
                int offset = CopyOfferDescriptor.lastLeft(parts) * partBytes;
                int bytes = Math.min(partBytes, length - offset);
                if (!copy(position, skip + offset, region, from + offset, bytes, taken)) {
                    return;
                }
            }
            parts = Words.longAcquire(base + PARTS_OFFSET);
        }
    }

    /// Whether the parts that were taken before are finished. If not, one has failed, which must
    /// not be hidden by those that come after it.
    private boolean hasFinished(int number, int count) {
        return count == 0
                || Words.longAcquire(base + HELPED_OFFSET)
                        == CopyOfferDescriptor.helped(number, count);
    }

    /// Copies a part and tells the peer, whatever happens: it waits for this one.
    private boolean copy(
            long position, long skip, PeerRegion region, long from, int bytes, long taken) {
        int number = CopyOfferDescriptor.number(taken);
        long helped = CopyOfferDescriptor.failed(number);
        try {
            receives.scatter(position, skip, region.memory(), from, bytes);
            helped = CopyOfferDescriptor.helped(number, CopyOfferDescriptor.fromBack(taken));
            return true;
        } catch (IllegalStateException regionClosedMeanwhile) {
            return false; // and with it the queue pair, at one end or the other
        } finally {
            Words.setLongRelease(base + HELPED_OFFSET, helped);
        }
    }

    private @Nullable PeerRegion find(Regions regions, ExecutionRight right, int key) {
        PeerRegion known = source;
        if (known == null || known.key() != key || !known.isOpen()) {
            known = regions.find(key, right);
            source = known;
        }
        return known;
    }
}
