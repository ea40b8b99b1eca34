package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_IMMEDIATE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_OUTCOME_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.POSTED_OFFSET;

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
/// | postedIndex, polledIndex | posting, polling thread | plain | plain | |
/// | posted (shared) | posting thread | acquire by the peer | release | ring entries |
/// | ring entries | posting thread | plain by the peer, after posted | plain, before posted | posted |
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
    private final int stride;
    private final long base;
    private final CompletionRing completions;
    private final MemorySegment memory;
    private final ReceiveColumns columns;
    private final ReceiveRow row;

    private long posted;
    private long polled;
    private long polledSeen;

    /// The entries of the next receive to be posted, and of the next one to be polled.
    private int postedIndex;

    private int polledIndex;

    /// @param memory the queue pair's shared memory, which this keeps mapped
    ReceiveQueue(MemorySegment memory, int capacity, int maxElements) {
        this.memory = memory;
        this.capacity = capacity;
        int entries = QueuePairDescriptor.entries(capacity);
        stride = QueuePairDescriptor.stride(maxElements);
        base = memory.address();
        completions =
                new CompletionRing(
                        base + QueuePairDescriptor.completionsOffset(entries, stride),
                        entries,
                        QueuePairDescriptor.completionStride(stride));
        columns = new ReceiveColumns(entries, maxElements);
        row = new ReceiveRow(entries);
    }

    // ---- the posting thread

    @Override
    public int post(LoopbackPostReceive receive, int first, int count) {
        long position = posted;
        int index = postedIndex;
        int accepted = 0;
        while (accepted < count && hasRoom(position)) {
            int request = first + accepted;
            int wanted = Math.min(count - accepted, row.held(index, receive, request));
            int taken = (int) Math.min(wanted, room(position, wanted));
            if (taken == 0) {
                columns.fill(index, entry(index), receive, request);
                row.filled(index, receive, request);
                taken = 1;
            }
            index = completions.after(index, taken);
            position += taken;
            accepted += taken;
        }
        postedIndex = index;
        POSTED.setRelease(this, position);
        if (accepted > 0) {
            Words.setLongRelease(base + POSTED_OFFSET, position);
        }
        return accepted;
    }

    private boolean hasRoom(long position) {
        return room(position, 1) > 0;
    }

    /// How many receives there is room for.
    ///
    /// @param wanted the most that matter
    private long room(long position, int wanted) {
        if (capacity - (position - polledSeen) < wanted) {
            polledSeen = (long) POLLED.getAcquire(this);
        }
        return capacity - (position - polledSeen);
    }

    private long entry(int index) {
        return base + QueuePairDescriptor.RINGS_OFFSET + (long) index * stride;
    }

    // ---- the polling thread

    @Override
    public int poll(LoopbackPollCompletions into, int count, int queuePairNumber) {
        long position = polled;
        int index = polledIndex;
        int next = count;
        while (next < into.capacity()) {
            long entry = completions.entry(index);
            if (!CompletionRing.isThere(entry, position)) {
                break;
            }
            into.put(
                    next,
                    columns.workRequestId(index),
                    Words.intAt(entry + COMPLETION_OUTCOME_OFFSET),
                    Words.intAt(entry + COMPLETION_LENGTH_OFFSET),
                    Words.intAt(entry + COMPLETION_IMMEDIATE_OFFSET),
                    queuePairNumber);
            index = completions.next(index);
            position++;
            next++;
        }
        if (next > count) {
            polledIndex = index;
            POLLED.setRelease(this, position);
        }
        return next;
    }

    /// Whether a position is that of the next receive to be polled, and posted. For the polling
    /// thread.
    boolean isNext(long position) {
        return position == polled && position < (long) POSTED.getAcquire(this);
    }

    @Override
    public int flush(LoopbackPollCompletions into, int count, int queuePairNumber) {
        int next = poll(into, count, queuePairNumber);
        long position = polled;
        int index = polledIndex;
        long end = (long) POSTED.getAcquire(this);
        while (position < end && next < into.capacity()) {
            into.put(next, columns.workRequestId(index), FLUSHED, 0, 0, queuePairNumber);
            index = completions.next(index);
            position++;
            next++;
        }
        polledIndex = index;
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
            if (columns.names(completions.index(position), region)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void scatter(long position, long skip, MemorySegment source, long length) {
        columns.scatter(completions.index(position), skip, source, 0, length);
    }

    /// As [#scatter(long, long, MemorySegment, long)], from another part of `source` than its
    /// beginning.
    void scatter(long position, long skip, MemorySegment source, long sourceOffset, long length) {
        columns.scatter(completions.index(position), skip, source, sourceOffset, length);
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
