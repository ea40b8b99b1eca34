package io.rdmanet.loopback;

import static java.util.Objects.requireNonNull;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Sends in columns, one value per request (or per element of a request): those of a prepared call,
/// or those that a queue has taken over. Executing one is the same in both places, so that what can
/// be executed at once need not be taken over.
///
/// An element of no length is none, wherever it stands. Belongs to the thread that prepares, or to
/// whoever owns the queue.
final class SendRequests {
    private final int maxElements;

    /// Where the inline data of a request waits that could not be executed at once; made when the
    /// request first needs it, since most never do.
    private final @Nullable MemorySegment[] captured;

    private final boolean[] isCaptured;

    // By request; written by the prepared call.
    final SendOpcode[] opcodes;
    final long[] workRequestIds;
    final int[] flags;
    final long[] remoteAddresses;
    final int[] remoteKeys;
    final int[] immediates;
    final long[] firstOperands;
    final long[] secondOperands;

    // By request and element, and by request the sum of lengths, which each message asks for. Data
    // of no region has only a segment.
    private final @Nullable LoopbackMemoryRegion[] regions;
    private final @Nullable MemorySegment[] segments;
    private final long[] offsets;
    private final int[] lengths;
    private final int[] totals;

    /// How many elements of a prepared call have data of no region.
    private int unregisteredCount;

    /// The longest request that there ever was here, where each has one element; of no meaning
    /// otherwise.
    private int longest;

    /// Where each request goes, or null for a connection, which knows that.
    final @Nullable DatagramColumns datagrams;

    /// @param maxInlineData how much of a request's data there is room for here, or 0 if it always
    ///   stays where it is
    SendRequests(
            int length, int maxElements, int maxInlineData, @Nullable DatagramColumns datagrams) {
        this.maxElements = maxElements;
        this.datagrams = datagrams;
        captured = new MemorySegment[maxInlineData == 0 ? 0 : length];
        isCaptured = new boolean[length];
        opcodes = new SendOpcode[length];
        workRequestIds = new long[length];
        flags = new int[length];
        remoteAddresses = new long[length];
        remoteKeys = new int[length];
        immediates = new int[length];
        firstOperands = new long[length];
        secondOperands = new long[length];
        regions = new LoopbackMemoryRegion[length * maxElements];
        segments = new MemorySegment[length * maxElements];
        offsets = new long[length * maxElements];
        lengths = new int[length * maxElements];
        totals = new int[length];
    }

    /// Sets an element of a request.
    void element(
            int index, int element, LoopbackMemoryRegion region, long offset, int elementLength) {
        int place = index * maxElements + element;
        if (regions[place] != region) { // mostly it is the same, and storing references costs
            if (isUnregistered(place)) {
                unregisteredCount--;
            }
            regions[place] = region;
            segments[place] = region.segment();
        }
        put(index, place, offset, elementLength);
    }

    /// Sets an element of a request to data of no region.
    void unregistered(int index, int element, MemorySegment data, long offset, int elementLength) {
        int place = index * maxElements + element;
        if (isUnregistered(place)) {
            unregisteredCount--;
        }
        if (elementLength != 0) {
            unregisteredCount++;
        }
        regions[place] = null;
        segments[place] = data;
        put(index, place, offset, elementLength);
    }

    private void put(int index, int place, long offset, int elementLength) {
        int total = totals[index] + elementLength - lengths[place];
        totals[index] = total;
        if (total > longest) {
            longest = total;
        }
        offsets[place] = offset;
        lengths[place] = elementLength;
    }

    /// No request of one element that was ever set was longer.
    int longest() {
        return longest;
    }

    /// Whether any request has data that is in no region.
    boolean hasUnregistered() {
        return unregisteredCount != 0;
    }

    /// Whether all data of a request is in memory regions.
    boolean isRegistered(int index) {
        for (int i = index * maxElements; i < (index + 1) * maxElements; i++) {
            if (isUnregistered(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean isUnregistered(int place) {
        return regions[place] == null && lengths[place] != 0;
    }

    /// Throws unless the calling thread can read the data of a request that is in no region.
    void requireReadable(int index) {
        for (int i = index * maxElements; i < (index + 1) * maxElements; i++) {
            if (isUnregistered(i)) {
                MemorySegment data = requireNonNull(segments[i]);
                if (!data.scope().isAlive()) {
                    throw new IllegalStateException(
                            "post_send: the inline data of request " + index + " is closed memory");
                }
                if (!data.isAccessibleBy(Thread.currentThread())) {
                    throw new WrongThreadException(
                            "post_send: the inline data of request "
                                    + index
                                    + " is another thread's memory");
                }
            }
        }
    }

    /// Lets go of the data of a request that is in no region: it was sent, or taken over.
    void forgetUnregistered(int index) {
        for (int i = index * maxElements; i < (index + 1) * maxElements; i++) {
            if (isUnregistered(i)) {
                totals[index] -= lengths[i];
                lengths[i] = 0;
                segments[i] = null;
                unregisteredCount--;
            }
        }
    }

    /// Takes a request over from elsewhere, where it has no more elements than there is room for
    /// here.
    void take(SendRequests from, int source, int target) {
        opcodes[target] = from.opcodes[source];
        workRequestIds[target] = from.workRequestIds[source];
        flags[target] = from.flags[source];
        remoteAddresses[target] = from.remoteAddresses[source];
        remoteKeys[target] = from.remoteKeys[source];
        immediates[target] = from.immediates[source];
        firstOperands[target] = from.firstOperands[source];
        secondOperands[target] = from.secondOperands[source];
        isCaptured[target] = false;
        totals[target] = from.totals[source];
        int sourceElement = source * from.maxElements;
        int targetElement = target * maxElements;
        for (int i = 0; i < maxElements; i++) {
            boolean isThere = i < from.maxElements;
            lengths[targetElement + i] = isThere ? from.lengths[sourceElement + i] : 0;
            regions[targetElement + i] = isThere ? from.regions[sourceElement + i] : null;
            segments[targetElement + i] = isThere ? from.segments[sourceElement + i] : null;
            offsets[targetElement + i] = isThere ? from.offsets[sourceElement + i] : 0;
        }
        if (datagrams != null && from.datagrams != null) {
            datagrams.copy(from.datagrams, source, target);
        }
    }

    /// Takes a request's inline data, so that the caller may use its memory again.
    void captureInline(int index) {
        if ((flags[index] & SendFlags.INLINE) == 0 || isCaptured[index] || captured.length == 0) {
            return;
        }
        MemorySegment copy = roomToCapture(index);
        try {
            gather(index, 0, copy, 0, total(index));
            isCaptured[index] = true;
            for (int i = index * maxElements; i < (index + 1) * maxElements; i++) {
                if (regions[i] == null) {
                    segments[i] = null;
                }
            }
        } catch (IllegalStateException regionClosedMeanwhile) {
            // Executing it will find that, too, and complete it with an error.
        }
    }

    private MemorySegment roomToCapture(int index) {
        MemorySegment room = captured[index];
        if (room == null || room.byteSize() < totals[index]) {
            int rounded = QueuePairDescriptor.capacity(Math.max(totals[index], Long.BYTES));
            room = Arena.ofAuto().allocate(rounded, Long.BYTES);
            captured[index] = room;
        }
        return room;
    }

    /// Whether every request has one element, or none.
    boolean hasOneElementEach() {
        return maxElements == 1;
    }

    /// The region of the one element of a request, or null if its data is in none.
    @Nullable LoopbackMemoryRegion onlyRegionOrNone(int index) {
        return regions[index];
    }

    /// Copies the one element of a request that is executed where it was prepared.
    void copyOnly(int index, MemorySegment target, long targetOffset, int length) {
        if (length != 0) {
            MemorySegment source = requireNonNull(segments[index]);
            MemorySegment.copy(source, offsets[index], target, targetOffset, length);
        }
    }

    SendOpcode opcode(int index) {
        return opcodes[index];
    }

    /// Bytes of all elements, which together are no more than a message can have.
    int total(int index) {
        return totals[index];
    }

    /// Bytes of all elements, also of more than a message can have.
    long uncheckedTotal(int index) {
        long total = 0;
        for (int i = index * maxElements; i < (index + 1) * maxElements; i++) {
            total += lengths[i];
        }
        return total;
    }

    int immediate(int index) {
        return immediates[index];
    }

    boolean isSolicited(int index) {
        return (flags[index] & SendFlags.SOLICITED) != 0;
    }

    boolean isSignaled(int index) {
        return (flags[index] & SendFlags.SIGNALED) != 0;
    }

    long remoteAddress(int index) {
        return remoteAddresses[index];
    }

    int remoteKey(int index) {
        return remoteKeys[index];
    }

    long firstOperand(int index) {
        return firstOperands[index];
    }

    long secondOperand(int index) {
        return secondOperands[index];
    }

    /// Whether the regions that the request names are all open.
    boolean hasOpenRegions(int index) {
        if (isCaptured[index]) {
            return true;
        }
        if (maxElements == 1) {
            return lengths[index] == 0 || isOpen(regions[index]);
        }
        for (int i = index * maxElements; i < (index + 1) * maxElements; i++) {
            if (lengths[i] != 0 && !isOpen(regions[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOpen(@Nullable LoopbackMemoryRegion region) {
        return region == null || region.isOpen();
    }

    /// Whether all of the request's data is in one region, which the peer can reach, too.
    boolean isInOneSharedRegion(int index) {
        int first = index * maxElements;
        LoopbackMemoryRegion region = regions[first];
        return region != null
                && !isCaptured[index]
                && lengths[first] == totals[index]
                && region.isShared();
    }

    /// The region of such a request.
    LoopbackMemoryRegion onlyRegion(int index) {
        return requireNonNull(regions[index * maxElements]);
    }

    /// Where in its region the data of such a request begins.
    long onlyOffset(int index) {
        return offsets[index * maxElements];
    }

    /// Whether any request names the region; for other threads, while requests are executed here.
    boolean names(LoopbackMemoryRegion region) {
        for (int i = 0; i < regions.length; i++) {
            if (lengths[i] != 0 && regions[i] == region) {
                return true;
            }
        }
        return false;
    }

    /// Whether the request's data is still in the region.
    boolean uses(int index, LoopbackMemoryRegion region) {
        for (int i = index * maxElements; i < (index + 1) * maxElements; i++) {
            if (lengths[i] != 0 && regions[i] == region) {
                return !isCaptured[index];
            }
        }
        return false;
    }

    /// Copies `length` bytes of the request's data, from byte `skip` on, to `target`.
    void gather(int index, long skip, MemorySegment target, long targetOffset, long length) {
        if (length == 0) {
            return; // of a request without elements, which has no region
        }
        if (isCaptured[index]) {
            MemorySegment copy = requireNonNull(captured[index]);
            MemorySegment.copy(copy, skip, target, targetOffset, length);
        } else if (maxElements == 1) {
            MemorySegment source = requireNonNull(segments[index]);
            MemorySegment.copy(source, offsets[index] + skip, target, targetOffset, length);
        } else {
            transferElements(index, skip, target, targetOffset, length, true);
        }
    }

    /// Copies `length` bytes from `source` to the request's buffers, from their byte `skip` on.
    void scatter(int index, long skip, MemorySegment source, long sourceOffset, long length) {
        transferElements(index, skip, source, sourceOffset, length, false);
    }

    private void transferElements(
            int index,
            long skip,
            MemorySegment other,
            long otherOffset,
            long length,
            boolean isOut) {
        int base = index * maxElements;
        long start = 0;
        long done = 0;
        for (int i = 0; i < maxElements && done < length; i++) {
            long end = start + lengths[base + i];
            long position = skip + done;
            if (position < end) {
                long part = Math.min(length - done, end - position);
                MemorySegment own = requireNonNull(segments[base + i]);
                long ownOffset = offsets[base + i] + position - start;
                if (isOut) {
                    MemorySegment.copy(own, ownOffset, other, otherOffset + done, part);
                } else {
                    MemorySegment.copy(other, otherOffset + done, own, ownOffset, part);
                }
                done += part;
            }
            start = end;
        }
    }
}
