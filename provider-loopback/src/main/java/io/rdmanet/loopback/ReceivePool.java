package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.ReceivePoolDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A pool of receives: what was posted, in shared memory for those who take it and in columns by
/// slot for this side. Figure and rules are in [ReceivePoolDescriptor].
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | posted | posting thread | plain | plain | |
/// | cells (shared) | posting thread; takers | acquire | release; compare-and-set | slots' content, occupancy |
/// | occupancy | posting thread occupies; whoever frees | acquire | release; compare-and-set | columns, takers |
/// | takers | posting thread | acquire | release | the cell that it is about to use again |
/// | free, nextFree | whoever frees; posting thread | acquire | compare-and-set | re-use of slots |
final class ReceivePool {
    private static final VarHandle FREE;
    private static final VarHandle OCCUPANCY = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle TAKERS = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            FREE = MethodHandles.lookup().findVarHandle(ReceivePool.class, "free", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int NOBODY = 0;
    private static final long VACANT = 0;
    private static final int NONE = -1;

    private final ReceivePoolMemory memory;
    private final int mask;
    private final ReceiveTaker layout;

    private final ReceiveColumns columns;

    /// The ticket of the receive in a slot, or 0.
    private final long[] occupancy;

    /// Who has taken the receive in a slot, if its cell was used again since.
    private final int[] takers;

    /// What slot was last posted in a cell.
    private final int[] slotsOfCells;

    /// A stack of the free slots: the slot plus 1 on its top (0 for none), and above it a count of
    /// all changes, which keeps a late compare-and-set from taking an old top for the present one.
    @SuppressWarnings("unused") // through FREE
    private volatile long free;

    private final int[] nextFree;

    private long posted;

    static ReceivePool create(LoopbackContext context, int maxReceives, int maxElements)
            throws VerbsException {
        return new ReceivePool(ReceivePoolMemory.create(context, maxReceives, maxElements));
    }

    ReceivePool(ReceivePoolMemory memory) {
        this.memory = memory;
        int slots = memory.slots();
        mask = memory.cells() - 1;
        layout = new ReceiveTaker(memory.segment());
        columns = new ReceiveColumns(slots, memory.maxElements());
        occupancy = new long[slots];
        takers = new int[slots];
        slotsOfCells = new int[memory.cells()];
        nextFree = new int[slots];
        for (int slot = slots - 1; slot >= 0; slot--) {
            push(slot);
        }
    }

    ReceivePoolMemory memory() {
        return memory;
    }

    /// The number its memory is known by.
    int number() {
        return memory.number();
    }

    int slots() {
        return memory.slots();
    }

    // ---- the posting thread

    /// Takes over prepared receives as far as there are slots, and shows them to the takers.
    ///
    /// @return how many were taken
    int post(LoopbackPostReceive receive, int first, int count) {
        int accepted = 0;
        while (accepted < count) {
            int slot = pop();
            if (slot == NONE) {
                break;
            }
            int flags = columns.fill(slot, layout.entry(slot), receive, first + accepted);
            if (flags != 0) {
                memory.needLanding();
            }
            show(slot);
            accepted++;
        }
        Words.setLongRelease(memory.address() + ReceivePoolDescriptor.POSTED_OFFSET, posted);
        return accepted;
    }

    private void show(int slot) {
        long position = posted;
        long cell = cell(position);
        long former = Words.longAcquire(cell);
        if (ReceivePoolDescriptor.isTaken(former)) {
            rememberTaker(position, former);
        }
        slotsOfCells[(int) position & mask] = slot;
        TAKERS.setRelease(takers, slot, NOBODY);
        OCCUPANCY.setRelease(occupancy, slot, position + 1);
        Words.setLongRelease(cell, ReceivePoolDescriptor.posted(position, slot));
        posted = position + 1;
    }

    /// Keeps what a cell says of the receive before, which may still be in its slot.
    private void rememberTaker(long position, long former) {
        int slot = slotsOfCells[(int) position & mask];
        if ((long) OCCUPANCY.getAcquire(occupancy, slot) == position - mask) {
            TAKERS.setRelease(takers, slot, ReceivePoolDescriptor.queuePairNumber(former));
        }
    }

    private long cell(long position) {
        return memory.address()
                + ReceivePoolDescriptor.FIRST_CELL_OFFSET
                + (position & mask) * ReceivePoolDescriptor.CELL_BYTES;
    }

    // ---- any thread: free slots

    private void push(int slot) {
        long top = (long) FREE.getAcquire(this);
        while (true) {
            nextFree[slot] = (int) top;
            if (FREE.compareAndSet(this, top, changed(top, slot + 1))) {
                return;
            }
            top = (long) FREE.getAcquire(this);
        }
    }

    private int pop() {
        while (true) {
            long top = (long) FREE.getAcquire(this);
            int slot = (int) top - 1;
            if (slot < 0) {
                return NONE;
            }
            if (FREE.compareAndSet(this, top, changed(top, nextFree[slot]))) {
                return slot;
            }
        }
    }

    private static long changed(long top, int newTop) {
        return ((top >>> Integer.SIZE) + 1) << Integer.SIZE | newTop;
    }

    /// Frees the slot of a receive, unless that was done already.
    boolean free(int slot, long ticket) {
        boolean isMine = OCCUPANCY.compareAndSet(occupancy, slot, ticket, VACANT);
        if (isMine) {
            push(slot);
        }
        return isMine;
    }

    // ---- whoever knows that a slot is occupied

    long workRequestId(int slot) {
        return columns.workRequestId(slot);
    }

    /// The ticket of the receive in a slot, or 0.
    long ticket(int slot) {
        return (long) OCCUPANCY.getAcquire(occupancy, slot);
    }

    /// Copies data of a message to where its receive says, for a peer that cannot reach it.
    ///
    /// @param skip where in the message the data belongs
    void scatter(int slot, long skip, MemorySegment source, long sourceOffset, long length) {
        columns.scatter(slot, skip, source, sourceOffset, length);
    }

    // ---- any thread

    /// Whether a receive that was not polled names the region.
    boolean uses(LoopbackMemoryRegion region) {
        for (int slot = 0; slot < occupancy.length; slot++) {
            if (ticket(slot) != VACANT && columns.names(slot, region)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a queue pair has taken the receive in a slot, and it was not polled yet.
    boolean isTakenBy(int queuePairNumber, int slot) {
        if (slot < 0 || slot >= occupancy.length) {
            return false;
        }
        long ticket = ticket(slot);
        return ticket != VACANT && isTakenBy(queuePairNumber, slot, ticket);
    }

    /// Looks at the cell first, as [#show] writes it last.
    private boolean isTakenBy(int queuePairNumber, int slot, long ticket) {
        long position = ticket - 1;
        long word = Words.longAcquire(cell(position));
        if (ReceivePoolDescriptor.isOf(word, position)) {
            return ReceivePoolDescriptor.isTaken(word)
                    && ReceivePoolDescriptor.queuePairNumber(word) == queuePairNumber;
        }
        return (int) TAKERS.getAcquire(takers, slot) == queuePairNumber;
    }

    /// The slot of a receive that a queue pair has taken, or -1: the one with a higher ticket than
    /// given. There is one at most if the queue pair's takers have stopped and the ticket is that
    /// of its last completion, since one receive is completed before the next is taken.
    int slotTakenBy(int queuePairNumber, long afterTicket) {
        for (int slot = 0; slot < occupancy.length; slot++) {
            long ticket = ticket(slot);
            if (ticket > afterTicket && isTakenBy(queuePairNumber, slot, ticket)) {
                return slot;
            }
        }
        return NONE;
    }

    /// Frees everything that a queue pair has taken and nobody has polled: it is no more.
    void releaseTakenBy(int queuePairNumber) {
        for (int slot = 0; slot < occupancy.length; slot++) {
            long ticket = ticket(slot);
            if (ticket != VACANT && isTakenBy(queuePairNumber, slot, ticket)) {
                boolean ignored = free(slot, ticket);
            }
        }
    }

    // ---- the limit

    /// Asks takers to say once when fewer receives are left; 0 asks for nothing.
    void arm(int limit) {
        Words.setIntVolatile(memory.address() + ReceivePoolDescriptor.LIMIT_OFFSET, limit);
    }

    /// Whether a taker has said so since the last call.
    boolean hasReachedLimit() {
        long limit = memory.address() + ReceivePoolDescriptor.LIMIT_OFFSET;
        return Words.intAcquire(limit) == ReceivePoolDescriptor.LIMIT_REACHED
                && Words.compareAndSetInt(
                        limit, ReceivePoolDescriptor.LIMIT_REACHED, ReceivePoolDescriptor.NO_LIMIT);
    }

    /// What tells that it was reached.
    AsyncEvent limitEvent() {
        return new AsyncEvent(AsyncEvent.Type.SHARED_RECEIVE_QUEUE_LIMIT, number());
    }

    /// Takes the memory's name away.
    void close() {
        memory.close();
    }
}
