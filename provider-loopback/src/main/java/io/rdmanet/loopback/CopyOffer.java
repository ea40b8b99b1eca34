package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.CopyOfferDescriptor.HELPED_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.KEY_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.MAX_PARTS;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.PARTS_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.PART_BYTES_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.POSITION_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.SKIP_OFFSET;
import static io.rdmanet.loopback.ring.CopyOfferDescriptor.SOURCE_OFFSET;

import io.rdmanet.loopback.ring.CopyOfferDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.CompletionStatus;
import java.lang.foreign.MemorySegment;

/// Copies long messages into a peer's receives together with the peer, if that is polling and finds
/// nothing else to do ([CopyHelp]): two processors copy faster than one.
///
/// Belongs to the holder of the execution right.
final class CopyOffer {
    /// Bytes of a part. Long beside what taking it costs (0.1 us for the line with the parts), and
    /// short beside a message, at whose end one waits for the other.
    private static final int PART_BYTES = 16 << 10;

    /// The shortest message that is shared: of two parts.
    static final int LEAST_BYTES = 2 * PART_BYTES;

    private static final int SUCCESS = CompletionStatus.SUCCESS.code();

    /// How long the last parts of a helper are waited for; it may have lost its processor.
    private static final long PATIENCE_NANOS = 100_000;

    /// After so long the peer counts as one that does not answer: it was stopped.
    private static final long OVERDUE_NANOS = 1_000_000_000;

    private static final int SPINS_PER_READING = 64;

    /// What no helper ever writes: it has finished a part at least, or failed.
    private static final long NOTHING = 0;

    private final long base;
    private final int partBytes;
    private boolean hasTakenOver;
    private int offerNumber;

    /// What is to be read before the parts that were taken from an offer that was given up are
    /// finished, or [#NOTHING]. Until then its helper may be reading and writing.
    private long awaited = NOTHING;

    private long awaitedSince;

    /// @param base the address of the offer in the peer's memory, which the caller keeps mapped
    CopyOffer(long base) {
        this(base, PART_BYTES);
    }

    CopyOffer(long base, int partBytes) {
        this.base = base;
        this.partBytes = partBytes;
    }

    /// Whether the next receive may be written to, by whomever. Not while a helper has not finished
    /// its parts of an offer that was given up. The peer is connected to this end.
    ///
    /// @return 0, or the negative reason why not
    int readiness() {
        if (!hasTakenOver) {
            takeOver();
        }
        if (awaited == NOTHING || isFinished()) {
            return SUCCESS;
        }
        boolean isOverdue = System.nanoTime() - awaitedSince > OVERDUE_NANOS;
        return isOverdue ? RetryTimer.UNREACHABLE : RetryTimer.IN_PROGRESS;
    }

    /// An earlier life of this end may have left an offer behind, and a helper.
    private void takeOver() {
        hasTakenOver = true;
        offerNumber = CopyOfferDescriptor.number(Words.longAcquire(base + PARTS_OFFSET));
        withdraw();
    }

    private boolean isFinished() {
        long helped = Words.longAcquire(base + HELPED_OFFSET);
        if (helped != awaited && helped != CopyOfferDescriptor.failed(offerNumber)) {
            return false;
        }
        awaited = NOTHING;
        return true;
    }

    /// Copies the bytes of a request that are in one region. Only after [#readiness()].
    ///
    /// @param position of the receive that they belong into
    /// @param target the receive's region, and where in it the bytes begin
    /// @return a completion status, or the negative reason why it must be tried again
    int copy(
            SendRequests requests,
            int index,
            int total,
            long position,
            MemorySegment target,
            long targetOffset) {
        Words.setInt(base + KEY_OFFSET, requests.onlyRegion(index).localKey());
        Words.setLong(base + POSITION_OFFSET, position);
        Words.setInt(base + PART_BYTES_OFFSET, partBytes);
        int length;
        for (int skip = 0; skip < total; skip += length) {
            length = Math.min(MAX_PARTS * partBytes, total - skip);
            Words.setInt(base + LENGTH_OFFSET, length);
            Words.setLong(base + SOURCE_OFFSET, requests.onlyOffset(index) + skip);
            Words.setLong(base + SKIP_OFFSET, skip);
            int status = copyOffered(requests, index, skip, length, target, targetOffset + skip);
            if (status != SUCCESS) {
                return status;
            }
        }
        return SUCCESS;
    }

    /// Offers what was described, takes parts of it, and waits for those that the peer has taken.
    private int copyOffered(
            SendRequests requests,
            int index,
            int skip,
            int length,
            MemorySegment target,
            long targetOffset) {
        int count = (length + partBytes - 1) / partBytes;
        long parts = CopyOfferDescriptor.fresh(++offerNumber, count);
        boolean isTaken = false;
        try {
            Words.setLongRelease(base + PARTS_OFFSET, parts);
            while (CopyOfferDescriptor.isAnyLeft(parts)) {
                long taken = CopyOfferDescriptor.takenFromFront(parts);
                if (Words.compareAndSetLong(base + PARTS_OFFSET, parts, taken)) {
                    int offset = CopyOfferDescriptor.fromFront(parts) * partBytes;
                    int bytes = Math.min(partBytes, length - offset);
                    requests.gather(index, skip + offset, target, targetOffset + offset, bytes);
                }
                parts = Words.longAcquire(base + PARTS_OFFSET);
            }
            isTaken = true;
        } finally {
            if (!isTaken) { // a region was closed meanwhile, say
                withdraw();
            }
        }
        int byPeer = CopyOfferDescriptor.fromBack(parts);
        return byPeer == 0 ? SUCCESS : await(byPeer);
    }

    private void withdraw() {
        long parts = Words.longAcquire(base + PARTS_OFFSET);
        while (!Words.compareAndSetLong(
                base + PARTS_OFFSET, parts, CopyOfferDescriptor.withdrawn(parts))) {
            parts = Words.longAcquire(base + PARTS_OFFSET);
        }
        int byPeer = CopyOfferDescriptor.fromBack(parts);
        if (byPeer > 0) {
            awaited = CopyOfferDescriptor.helped(offerNumber, byPeer);
            awaitedSince = System.nanoTime();
        }
    }

    private int await(int byPeer) {
        awaited = CopyOfferDescriptor.helped(offerNumber, byPeer);
        awaitedSince = 0;
        for (int spins = 1; !isFinished(); spins++) {
            if (spins % SPINS_PER_READING == 0) {
                long now = System.nanoTime();
                awaitedSince = awaitedSince == 0 ? now : awaitedSince;
                if (now - awaitedSince > PATIENCE_NANOS) {
                    return RetryTimer.IN_PROGRESS;
                }
            }
            Thread.onSpinWait();
        }
        boolean isFailed =
                Words.longAcquire(base + HELPED_OFFSET) == CopyOfferDescriptor.failed(offerNumber);
        return isFailed ? RetryTimer.UNREACHABLE : SUCCESS;
    }
}
