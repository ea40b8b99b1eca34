package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETED_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_IMMEDIATE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_LENGTH_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_OUTCOME_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_SLOT_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_SOURCE_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COMPLETION_TICKET_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.HELD_SLOT_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.HELD_TICKET_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.NO_TICKET;

import io.rdmanet.loopback.ring.LandingDescriptor;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.ReceivePoolDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import java.lang.foreign.MemorySegment;

/// The receives of a queue pair that takes them from a pool: of a shared receive queue, or one of
/// its own, as queue pairs of datagrams have.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | completion entries (shared) | whoever may deliver: the peer, or who has the claim | acquire by the poller | release of the sequence | |
/// | polled, lastTicket | polling thread | plain | plain | |
/// | isFlushed | polling thread | volatile | volatile | |
final class PooledReceives implements Receives {
    private static final int FLUSHED =
            QueuePairDescriptor.outcome(
                    CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code(),
                    CompletionOpcode.RECEIVE.code(),
                    false);

    private static final int NOT_ALLOWED =
            QueuePairDescriptor.outcome(
                    CompletionStatus.LOCAL_PROTECTION_ERROR.code(),
                    CompletionOpcode.RECEIVE.code(),
                    false);

    private final MemorySegment memory;
    private final long base;
    private final CompletionRing completions;
    private final int number;
    private final ReceivePool pool;
    private final boolean ownsPool;
    private final ReceiveTaker taker;

    private long polled;
    private long lastTicket;
    private volatile boolean isFlushed;

    /// @param memory the queue pair's shared memory, which this keeps mapped
    /// @param ownsPool whether nobody else takes from the pool
    PooledReceives(MemorySegment memory, int number, ReceivePool pool, boolean ownsPool) {
        this.memory = memory;
        this.number = number;
        this.pool = pool;
        this.ownsPool = ownsPool;
        base = memory.address();
        int cells = pool.memory().cells();
        completions =
                new CompletionRing(
                        base + QueuePairDescriptor.completionsOffset(cells, 0),
                        cells,
                        QueuePairDescriptor.completionStride(0));
        taker = new ReceiveTaker(pool.memory().segment());
    }

    @Override
    public int post(LoopbackPostReceive receive, int first, int count) {
        return pool.post(receive, first, count);
    }

    @Override
    public int poll(LoopbackPollCompletions into, int count, int queuePairNumber) {
        long position = polled;
        int index = completions.index(position);
        int next = count;
        while (next < into.capacity()) {
            long entry = completions.entry(index);
            if (!CompletionRing.isThere(entry, position)) {
                break;
            }
            if (take(into, next, entry, queuePairNumber)) {
                next++;
            }
            position++;
            index = completions.next(index);
        }
        polled = position;
        return next;
    }

    /// Everything is read before the slot is freed: its room, and that of the completion, may be
    /// used again at once.
    ///
    /// @return false if the receive is no more, because the queue pair is being closed
    private boolean take(LoopbackPollCompletions into, int index, long entry, int queuePairNumber) {
        int slot = Words.intAt(entry + COMPLETION_SLOT_OFFSET);
        int outcome = Words.intAt(entry + COMPLETION_OUTCOME_OFFSET);
        int length = Words.intAt(entry + COMPLETION_LENGTH_OFFSET);
        lastTicket = Words.longAt(entry + COMPLETION_TICKET_OFFSET);
        if (QueuePairDescriptor.isLanded(outcome) && !land(slot, length)) {
            outcome = NOT_ALLOWED;
        }
        into.putDatagram(
                index,
                pool.workRequestId(slot),
                outcome,
                length,
                Words.intAt(entry + COMPLETION_IMMEDIATE_OFFSET),
                queuePairNumber,
                Words.intAt(entry + COMPLETION_SOURCE_OFFSET));
        return pool.free(slot, lastTicket);
    }

    /// @return false if the receive's memory is no more
    private boolean land(int slot, int length) {
        MemorySegment landing = pool.memory().landing();
        if (landing == null) {
            return false;
        }
        try {
            pool.scatter(slot, 0, landing, LandingDescriptor.offset(slot), length);
            return true;
        } catch (IllegalStateException arenaWasClosed) {
            return false;
        }
    }

    /// First what was taken for a message that never came to its end; then, if nobody else can want
    /// them, the rest.
    @Override
    public int flush(LoopbackPollCompletions into, int count, int queuePairNumber) {
        int next = poll(into, count, queuePairNumber);
        if (next < into.capacity() && !isFlushed) {
            int slot = pool.slotTakenBy(number, lastTicket);
            if (slot >= 0) {
                next = flushSlot(into, next, slot, queuePairNumber);
            }
            isFlushed = true;
        }
        while (ownsPool && next < into.capacity()) {
            long word = taker.peek();
            if (word == 0) {
                break;
            }
            if (taker.take(word, number)) {
                int slot = ReceivePoolDescriptor.slot(word);
                next = flushSlot(into, next, slot, queuePairNumber);
            }
        }
        return next;
    }

    private int flushSlot(LoopbackPollCompletions into, int next, int slot, int queuePairNumber) {
        into.put(next, pool.workRequestId(slot), FLUSHED, 0, 0, queuePairNumber);
        return pool.free(slot, pool.ticket(slot)) ? next + 1 : next;
    }

    @Override
    public long waitingCompletions(int limit) {
        return completions.count(polled, limit);
    }

    @Override
    public boolean hasOutstanding() {
        return !isFlushed || (ownsPool && taker.hasPosted());
    }

    /// Those of a shared pool are its own affair.
    @Override
    public boolean uses(LoopbackMemoryRegion region) {
        return ownsPool && pool.uses(region);
    }

    @Override
    public boolean isOutstanding(long position) {
        return memory.scope().isAlive() && pool.isTakenBy(number, (int) position);
    }

    @Override
    public void scatter(long position, long skip, MemorySegment source, long length) {
        pool.scatter((int) position, skip, source, 0, length);
    }

    /// Whether the pool has fewer receives left than its owner wanted to know, said once.
    boolean hasReachedLimit() {
        return pool.hasReachedLimit();
    }

    ReceivePool pool() {
        return pool;
    }

    /// Mends what a deliverer has left that died with the claim, for the next one: finds its last
    /// completion, and the receive that it had taken and not completed. Nobody has the claim
    /// meanwhile but, still, the dead one.
    void recover() {
        long completed = Words.longAt(base + COMPLETED_OFFSET);
        completed += completions.count(completed, Integer.MAX_VALUE);
        long last = completed == 0 ? NO_TICKET : ticketAt(completed - 1);
        int slot = pool.slotTakenBy(number, last);
        Words.setLong(base + COMPLETED_OFFSET, completed);
        Words.setInt(base + HELD_SLOT_OFFSET, Math.max(slot, 0));
        Words.setLong(base + HELD_TICKET_OFFSET, slot < 0 ? NO_TICKET : pool.ticket(slot));
    }

    private long ticketAt(long position) {
        return Words.longAt(
                completions.entry(completions.index(position)) + COMPLETION_TICKET_OFFSET);
    }

    @Override
    public void close() {
        if (ownsPool) {
            pool.close();
        } else {
            pool.releaseTakenBy(number);
        }
    }
}
