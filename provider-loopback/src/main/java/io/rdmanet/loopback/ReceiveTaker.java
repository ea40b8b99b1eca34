package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.CELLS_OFFSET;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.CELL_BYTES;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.FIRST_CELL_OFFSET;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.LIMIT_OFFSET;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.LIMIT_REACHED;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.MAGIC;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.MAGIC_OFFSET;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.NEXT_OFFSET;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.POSTED_OFFSET;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.SLOTS_OFFSET;
import static io.rdmanet.loopback.ring.ReceivePoolDescriptor.STRIDE_OFFSET;

import io.rdmanet.loopback.memory.PeerFiles;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.ReceivePoolDescriptor;
import io.rdmanet.loopback.ring.Words;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Takes receives out of a pool, for one queue pair of the pool's owner. Any number of takers may
/// do so at once, in any process; each belongs to one thread at a time.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | cells (shared) | poster; takers | acquire; compare-and-set | release; compare-and-set | slots' content |
/// | next (shared) | takers | acquire | compare-and-set | only a hint |
/// | posted (shared) | poster | acquire | release | limit |
/// | limit (shared) | owner; the taker that reaches it | acquire | volatile; compare-and-set | posted |
final class ReceiveTaker {
    private final MemorySegment memory;
    private final long base;
    private final long slots;
    private final int stride;
    private final int mask;

    private long position;

    /// Maps a peer's pool.
    ///
    /// @throws IOException if it is not there
    static ReceiveTaker attach(PeerFiles files, int poolNumber) throws IOException {
        MemorySegment memory =
                files.map(ReceivePoolDescriptor.fileName(poolNumber), Arena.ofAuto());
        if (memory.byteSize() < FIRST_CELL_OFFSET
                || Words.longAcquire(memory.address() + MAGIC_OFFSET) != MAGIC) {
            throw new IOException("the peer's loopback device has another version");
        }
        requireConsistent(memory);
        return new ReceiveTaker(memory);
    }

    private static void requireConsistent(MemorySegment memory) throws IOException {
        long base = memory.address();
        int slots = Words.intAt(base + SLOTS_OFFSET);
        int cells = Words.intAt(base + CELLS_OFFSET);
        int stride = Words.intAt(base + STRIDE_OFFSET);
        if (slots < 0
                || Integer.bitCount(cells) != 1
                || cells < slots
                || stride < QueuePairDescriptor.ENTRY_UNIT
                || stride % QueuePairDescriptor.ENTRY_UNIT != 0
                || memory.byteSize() != ReceivePoolDescriptor.bytes(slots, cells, stride)) {
            throw new IOException(
                    "the peer's pool of receives has "
                            + memory.byteSize()
                            + " bytes for "
                            + slots
                            + " slots of "
                            + stride
                            + " and "
                            + cells
                            + " cells");
        }
    }

    /// @param memory the pool's, which this keeps mapped
    ReceiveTaker(MemorySegment memory) {
        this.memory = memory;
        base = memory.address();
        stride = Words.intAt(base + STRIDE_OFFSET);
        int cells = Words.intAt(base + CELLS_OFFSET);
        mask = cells - 1;
        slots = base + ReceivePoolDescriptor.slotsOffset(cells);
    }

    /// Looks for the next receive, and leaves it there.
    ///
    /// @return its cell's word, to be given to [#take], or 0 if none is posted
    long peek() {
        while (true) {
            long next = Words.longAcquire(base + NEXT_OFFSET);
            long word = Words.longAcquire(cell(next));
            if (ReceivePoolDescriptor.isOf(word, next)) {
                if (!ReceivePoolDescriptor.isTaken(word)) {
                    position = next;
                    return word;
                }
                pushOn(next);
            } else if (ReceivePoolDescriptor.isOf(word, next + mask + 1)) {
                // Taken by somebody who died before pushing on, and its cell was used again since.
                pushOn(next);
            } else if (Words.longAcquire(base + NEXT_OFFSET) == next) {
                return 0;
            }
        }
    }

    /// Takes what the last [#peek] has found, unless somebody else was faster.
    boolean take(long word, int queuePairNumber) {
        if (!Words.compareAndSetLong(
                cell(position), word, ReceivePoolDescriptor.taken(position, queuePairNumber))) {
            return false;
        }
        pushOn(position);
        return true;
    }

    /// The ticket of what was taken last.
    long ticket() {
        return position + 1;
    }

    /// Asked after taking: whether fewer receives are left than the owner wants to be told of. Says
    /// so once; the owner is to be woken then.
    boolean reachesLimit() {
        int limit = Words.intAcquire(base + LIMIT_OFFSET);
        return limit > 0
                && Words.longAcquire(base + POSTED_OFFSET) - ticket() < limit
                && Words.compareAndSetInt(base + LIMIT_OFFSET, limit, LIMIT_REACHED);
    }

    /// The entry of a slot.
    long entry(int slot) {
        return slots + (long) slot * stride;
    }

    int slots() {
        return Words.intAt(base + SLOTS_OFFSET);
    }

    /// The most elements a receive can have.
    int maxElements() {
        return (stride - QueuePairDescriptor.ELEMENTS_OFFSET) / QueuePairDescriptor.ELEMENT_BYTES;
    }

    private long cell(long at) {
        return base + FIRST_CELL_OFFSET + (at & mask) * CELL_BYTES;
    }

    private void pushOn(long from) {
        Words.compareAndSetLong(base + NEXT_OFFSET, from, from + 1);
    }

    /// Whether a receive is posted that nobody has taken; for threads that do not take.
    boolean hasPosted() {
        return memory.scope().isAlive()
                && Words.longAcquire(base + POSTED_OFFSET) > Words.longAcquire(base + NEXT_OFFSET);
    }
}
