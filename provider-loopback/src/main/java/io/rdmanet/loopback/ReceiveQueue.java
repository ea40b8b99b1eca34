package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_IMMEDIATE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_OUTCOME_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENTS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_BYTES;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_KEY_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ELEMENT_OFFSET_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.LINE;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RECEIVE_COUNT_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RECEIVE_FLAGS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.RECEIVE_UNSHARED;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.SEQUENCE_OFFSET;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The receives of one queue pair: what was posted, in shared memory for the peer and in columns
/// for this side, and the completions that the peer writes.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | posted | posting thread | acquire by others | release | columns |
/// | polled | polling thread | acquire by the poster | release | re-use of columns and ring entries |
/// | ring entries | posting thread | acquire by the peer | release of the sequence | |
/// | completion entries | the peer | acquire by the poller | release of the sequence | |
final class ReceiveQueue {
    private static final VarHandle POSTED = field("posted");
    private static final VarHandle POLLED = field("polled");
    private static final int FLUSHED =
            QueuePairDescriptor.outcome(
                    CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code(),
                    CompletionOpcode.RECEIVE.code(),
                    false);

    private final int capacity;
    private final int mask;
    private final int maxElements;
    private final int stride;
    private final long ring;
    private final long completions;
    private final MemorySegment memory;

    private final long[] workRequestIds;
    private final LoopbackMemoryRegion[] regions;
    private final long[] offsets;
    private final int[] lengths;
    private final int[] counts;

    private long posted;
    private long polled;
    private long polledSeen;

    /// @param memory the queue pair's shared memory, which this keeps mapped
    ReceiveQueue(MemorySegment memory, int capacity, int maxElements) {
        this.memory = memory;
        this.capacity = capacity;
        this.maxElements = maxElements;
        int slots = QueuePairDescriptor.capacity(capacity);
        mask = slots - 1;
        stride = QueuePairDescriptor.stride(maxElements);
        ring = memory.address() + QueuePairDescriptor.RINGS_OFFSET;
        completions = memory.address() + QueuePairDescriptor.completionsOffset(slots, stride);
        workRequestIds = new long[slots];
        regions = new LoopbackMemoryRegion[slots * maxElements];
        offsets = new long[slots * maxElements];
        lengths = new int[slots * maxElements];
        counts = new int[slots];
    }

    // ---- the posting thread

    /// Takes over prepared receives as far as there is room, and shows them to the peer.
    ///
    /// @return how many were taken
    int post(LoopbackPostReceive receive, int first, int count) {
        long position = posted;
        int accepted = 0;
        while (accepted < count && hasRoom(position)) {
            enqueue(receive, first + accepted, position);
            position++;
            accepted++;
        }
        POSTED.setRelease(this, position);
        return accepted;
    }

    private boolean hasRoom(long position) {
        if (position - polledSeen < capacity) {
            return true;
        }
        polledSeen = (long) POLLED.getAcquire(this);
        return position - polledSeen < capacity;
    }

    private void enqueue(LoopbackPostReceive receive, int from, long position) {
        int slot = (int) position & mask;
        long entry = ring + (long) slot * stride;
        int count = 0;
        int receiveFlags = 0;
        int source = from * receive.maxElements;
        int target = slot * maxElements;
        for (int i = 0; i < receive.maxElements; i++) {
            int length = receive.lengths[source + i];
            if (length != 0) {
                LoopbackMemoryRegion region = receive.regions[source + i];
                long element = entry + ELEMENTS_OFFSET + (long) count * ELEMENT_BYTES;
                Words.setLong(element + ELEMENT_OFFSET_OFFSET, receive.offsets[source + i]);
                Words.setInt(element + ELEMENT_LENGTH_OFFSET, length);
                Words.setInt(element + ELEMENT_KEY_OFFSET, region.localKey());
                if (!region.isShared()) {
                    receiveFlags = RECEIVE_UNSHARED;
                }
                regions[target + count] = region;
                offsets[target + count] = receive.offsets[source + i];
                lengths[target + count] = length;
                count++;
            }
        }
        counts[slot] = count;
        workRequestIds[slot] = receive.workRequestIds[from];
        Words.setInt(entry + RECEIVE_COUNT_OFFSET, count);
        Words.setInt(entry + RECEIVE_FLAGS_OFFSET, receiveFlags);
        Words.setLongRelease(entry + SEQUENCE_OFFSET, position + 1);
    }

    // ---- the polling thread

    /// Takes the completions that the peer has written.
    int poll(LoopbackPollCompletions into, int count, int queuePairNumber) {
        long position = polled;
        int next = count;
        while (next < into.capacity()) {
            int slot = (int) position & mask;
            long entry = completions + (long) slot * LINE;
            if (Words.longAcquire(entry + SEQUENCE_OFFSET) != position + 1) {
                break;
            }
            into.put(
                    next,
                    workRequestIds[slot],
                    Words.intAt(entry + COMPLETION_OUTCOME_OFFSET),
                    Words.intAt(entry + COMPLETION_LENGTH_OFFSET),
                    Words.intAt(entry + COMPLETION_IMMEDIATE_OFFSET),
                    queuePairNumber);
            position++;
            next++;
        }
        if (next > count) {
            POLLED.setRelease(this, position);
        }
        return next;
    }

    /// Takes what is left as flushed. The peer must have stopped writing.
    int flush(LoopbackPollCompletions into, int count, int queuePairNumber) {
        int next = poll(into, count, queuePairNumber);
        long position = polled;
        long end = (long) POSTED.getAcquire(this);
        while (position < end && next < into.capacity()) {
            into.put(next, workRequestIds[(int) position & mask], FLUSHED, 0, 0, queuePairNumber);
            position++;
            next++;
        }
        POLLED.setRelease(this, position);
        return next;
    }

    /// Completions that were written and not taken, counted up to a limit.
    long waitingCompletions(int limit) {
        long position = polled;
        while (position - polled < Math.min(limit, mask + 1)) {
            long entry = completions + (position & mask) * LINE;
            if (Words.longAcquire(entry + SEQUENCE_OFFSET) != position + 1) {
                break;
            }
            position++;
        }
        return position - polled;
    }

    // ---- any thread

    /// Whether something posted was not polled yet.
    boolean hasOutstanding() {
        return (long) POLLED.getAcquire(this) < (long) POSTED.getAcquire(this);
    }

    /// Whether a receive that was not polled names the region.
    boolean uses(LoopbackMemoryRegion region) {
        long end = (long) POSTED.getAcquire(this);
        for (long position = (long) POLLED.getAcquire(this); position < end; position++) {
            int slot = (int) position & mask;
            for (int i = 0; i < counts[slot]; i++) {
                if (regions[slot * maxElements + i] == region) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Copies data of a message to where its receive says, for a peer that cannot reach it.
    ///
    /// @param position the receive's position
    /// @param skip where in the message the data belongs
    void scatter(long position, long skip, MemorySegment source, long length) {
        int slot = (int) position & mask;
        long start = 0;
        long done = 0;
        for (int i = 0; i < counts[slot] && done < length; i++) {
            int index = slot * maxElements + i;
            long end = start + lengths[index];
            long at = skip + done;
            if (at < end) {
                long part = Math.min(length - done, end - at);
                MemorySegment own = regions[index].segment();
                MemorySegment.copy(source, done, own, offsets[index] + at - start, part);
                done += part;
            }
            start = end;
        }
    }

    /// Whether a position is one the peer may be writing to.
    boolean isOutstanding(long position) {
        return position >= (long) POLLED.getAcquire(this)
                && position < (long) POSTED.getAcquire(this)
                && memory.scope().isAlive();
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(ReceiveQueue.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
