package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_IMMEDIATE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_OUTCOME_OFFSET;
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
final class ReceiveQueue implements Receives {
    private static final VarHandle POSTED = field("posted");
    private static final VarHandle POLLED = field("polled");
    private static final int FLUSHED =
            QueuePairDescriptor.outcome(
                    CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code(),
                    CompletionOpcode.RECEIVE.code(),
                    false);

    private final int capacity;
    private final int mask;
    private final int stride;
    private final long ring;
    private final CompletionRing completions;
    private final MemorySegment memory;
    private final ReceiveColumns columns;

    private long posted;
    private long polled;
    private long polledSeen;

    /// @param memory the queue pair's shared memory, which this keeps mapped
    ReceiveQueue(MemorySegment memory, int capacity, int maxElements) {
        this.memory = memory;
        this.capacity = capacity;
        int slots = QueuePairDescriptor.capacity(capacity);
        mask = slots - 1;
        stride = QueuePairDescriptor.stride(maxElements);
        ring = memory.address() + QueuePairDescriptor.RINGS_OFFSET;
        completions =
                new CompletionRing(
                        memory.address() + QueuePairDescriptor.completionsOffset(slots, stride),
                        slots,
                        QueuePairDescriptor.completionStride(stride));
        columns = new ReceiveColumns(slots, maxElements);
    }

    // ---- the posting thread

    @Override
    public int post(LoopbackPostReceive receive, int first, int count) {
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
        columns.fill(slot, entry, receive, from);
        Words.setLongRelease(entry + SEQUENCE_OFFSET, position + 1);
    }

    // ---- the polling thread

    @Override
    public int poll(LoopbackPollCompletions into, int count, int queuePairNumber) {
        long position = polled;
        int next = count;
        while (next < into.capacity() && completions.has(position)) {
            long entry = completions.entry(position);
            into.put(
                    next,
                    columns.workRequestId((int) position & mask),
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

    @Override
    public int flush(LoopbackPollCompletions into, int count, int queuePairNumber) {
        int next = poll(into, count, queuePairNumber);
        long position = polled;
        long end = (long) POSTED.getAcquire(this);
        while (position < end && next < into.capacity()) {
            int slot = (int) position & mask;
            into.put(next, columns.workRequestId(slot), FLUSHED, 0, 0, queuePairNumber);
            position++;
            next++;
        }
        POLLED.setRelease(this, position);
        return next;
    }

    @Override
    public long waitingCompletions(int limit) {
        return completions.count(polled, limit);
    }

    // ---- any thread

    @Override
    public boolean hasOutstanding() {
        return (long) POLLED.getAcquire(this) < (long) POSTED.getAcquire(this);
    }

    @Override
    public boolean uses(LoopbackMemoryRegion region) {
        long end = (long) POSTED.getAcquire(this);
        for (long position = (long) POLLED.getAcquire(this); position < end; position++) {
            if (columns.names((int) position & mask, region)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void scatter(long position, long skip, MemorySegment source, long length) {
        columns.scatter((int) position & mask, skip, source, 0, length);
    }

    @Override
    public boolean isOutstanding(long position) {
        return position >= (long) POLLED.getAcquire(this)
                && position < (long) POSTED.getAcquire(this)
                && memory.scope().isAlive();
    }

    @Override
    public void close() {
        // The memory is the queue pair's, and goes with it.
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(ReceiveQueue.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
