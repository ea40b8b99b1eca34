package io.rdmanet.internal.engine;

import io.rdmanet.internal.flow.CreditLedger;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.VerbsException;
import java.util.concurrent.locks.ReentrantLock;

/// The receive queue and its slots: posts them, and posts them again once they were consumed, in
/// that order. Each slot is a request that was prepared once; neighbours are posted as one chain.
/// Where all come back in the order in which they were posted, the chains are long, and each gets
/// its former place in the device's queue again, which then need not be written; leases that are
/// given back in another order cost a call each. A slot whose posting failed stays among those to
/// be posted.
///
/// Every field is guarded by [#lock], which is never held while blocking, and never while the send
/// lock is wanted.
final class ReceiveQueue {
    private static final int MAX_REPOST_CHAIN = 16;

    final ReentrantLock lock = new ReentrantLock();

    private final CreditLedger ledger;
    private final SlotMemory memory;
    private final PostReceive postReceive;
    private final Probe probe;
    private final int repostChain;
    private final int[] freed;
    // Those to be posted: so many, in turn, from the oldest one's place on.
    private int oldestFreed;
    private int freedCount;
    private long posted;
    private boolean isShut;

    ReceiveQueue(Resources resources, CreditLedger ledger, int depth, Probe probe) {
        this.ledger = ledger;
        this.memory = resources.receiveMemory;
        this.postReceive = resources.postReceive;
        this.probe = probe;
        // Never more than half of what makes credits due, so that none are held back.
        this.repostChain = Math.clamp(depth / 8, 1, MAX_REPOST_CHAIN);
        this.freed = new int[postReceive.capacity()];
        for (int slot = 0; slot < freed.length; slot++) {
            postReceive
                    .request(slot)
                    .workRequestId(CompletionLoop.RECEIVE_TAG | slot)
                    .scatterGather(0, memory.region(), memory.offset(slot), memory.slotBytes());
        }
    }

    SlotMemory memory() {
        return memory;
    }

    /// Posts every slot. Before the peer can know of the queue pair.
    void postAll() throws VerbsException {
        lock.lock();
        try {
            for (int slot = 0; slot < freed.length; slot++) {
                add(slot);
            }
            int posted = post();
            if (freedCount > 0) {
                throw new VerbsException(
                        "post_recv",
                        "the receive queue took " + posted + " of " + freed.length + " receives");
            }
        } finally {
            lock.unlock();
        }
    }

    /// The slot of a control frame was consumed: posts it again at once.
    void repostControl(int slot) throws VerbsException {
        lock.lock();
        try {
            int before = freedCount;
            add(slot);
            // Posts what was freed by data, too, since receives are alike: only how many counts.
            post();
            int reposted = before + 1 - freedCount;
            if (reposted == 0) {
                throw new VerbsException(
                        "post_recv", "a queue that just gave a receive takes none");
            }
            ledger.onReposted(reposted - 1);
        } finally {
            lock.unlock();
        }
    }

    /// How many slots of data frames are posted again together.
    int repostChain() {
        return repostChain;
    }

    /// The slots of data frames were consumed; they are posted again with some others.
    void free(int[] slots, int count) throws VerbsException {
        lock.lock();
        try {
            for (int i = 0; i < count; i++) {
                freeLocked(slots[i]);
            }
        } finally {
            lock.unlock();
        }
    }

    /// The same for one slot, for who holds the lock.
    void freeLocked(int slot) throws VerbsException {
        if (isShut) {
            return;
        }
        add(slot);
        if (freedCount >= repostChain) {
            repost();
        }
    }

    /// Posts whatever was freed.
    void repostFreed() throws VerbsException {
        lock.lock();
        try {
            if (freedCount > 0 && !isShut) {
                repost();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Posts nothing any more.
    void shut() {
        lock.lock();
        try {
            isShut = true;
        } finally {
            lock.unlock();
        }
    }

    /// How many receives were posted since the connection was opened.
    long posted() {
        lock.lock();
        try {
            return posted;
        } finally {
            lock.unlock();
        }
    }

    private void add(int slot) {
        freed[place(freedCount)] = slot;
        freedCount++;
    }

    /// Where the slot is that is freed so many after the oldest.
    private int place(int index) {
        int place = oldestFreed + index;
        return place < freed.length ? place : place - freed.length;
    }

    private void take(int count) {
        oldestFreed = place(count);
        freedCount -= count;
        posted += count;
    }

    private void repost() throws VerbsException {
        int before = freedCount;
        try {
            post();
        } finally {
            ledger.onReposted(before - freedCount);
        }
    }

    /// How many of the freed slots follow each other in memory, from the oldest on.
    private int neighbours() {
        int first = freed[oldestFreed];
        int count = 1;
        while (count < freedCount && freed[place(count)] == first + count) {
            count++;
        }
        return count;
    }

    /// Posts what it can of the freed slots.
    ///
    /// @return how many it posted
    private int post() throws VerbsException {
        long start = probe.start();
        int total = 0;
        try {
            while (freedCount > 0) {
                int count = neighbours();
                int accepted = postReceive.execute(freed[oldestFreed], count);
                take(accepted);
                total += accepted;
                if (accepted < count) {
                    break;
                }
            }
        } catch (PostException e) {
            take(e.acceptedCount());
            throw e;
        } finally {
            probe.stop(Probe.POST_NANOS, start);
            probe.posted(total);
        }
        return total;
    }
}
