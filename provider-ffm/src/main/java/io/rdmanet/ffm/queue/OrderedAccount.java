package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.SendWorkRequestDescriptor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The account of a queue whose requests complete in the order of posting: the sends and the
/// receives of a queue pair.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | identifiers | posting thread | plain | plain | posting to the device, polling from it |
/// | posted | posting thread | own | plain | |
/// | completed | polling thread | acquire by others | release | room: what completed may be overwritten |
/// | cachedCompleted | posting thread | own | plain | |
final class OrderedAccount extends WorkQueueAccount {
    private static final VarHandle COMPLETED;

    static {
        try {
            COMPLETED =
                    MethodHandles.lookup()
                            .findVarHandle(OrderedAccount.class, "completed", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final long POSITION_BITS = 0xffff_ffffL;

    private final int capacity;

    /// Their number is a power of two.
    private final long[] identifiers;

    private long posted;
    private long cachedCompleted;
    private long completed;

    /// @param capacity requests that can be outstanding
    OrderedAccount(WorkQueue.Owner owner, int capacity) {
        this(owner, capacity, 0);
    }

    /// @param start the first position
    OrderedAccount(WorkQueue.Owner owner, int capacity, long start) {
        super(owner);
        posted = start;
        cachedCompleted = start;
        completed = start;
        this.capacity = capacity;
        int size = capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
        identifiers = new long[size];
    }

    @Override
    int begin(RequestChain chain, int first, int count) {
        int accepted = Math.min(count, room(count));
        long[] theirs = chain.identifiers();
        long start = posted;
        int requestSize = chain.requestSize();
        long identifier = chain.request(first) + SendWorkRequestDescriptor.WORK_REQUEST_ID;
        if (accepted == 1) { // without what a loop has to find out first
            take(start, theirs[first], identifier);
        } else {
            for (int i = 0; i < accepted; i++) {
                take(start + i, theirs[first + i], identifier);
                identifier += requestSize;
            }
        }
        posted = start + accepted;
        chain.noteUses(first, accepted, start);
        return accepted;
    }

    private void take(long position, long theirs, long target) {
        long[] ours = identifiers;
        ours[(int) position & (ours.length - 1)] = theirs;
        long number = (long) number() << Integer.SIZE;
        NativeMemory.setLong(target, number | (position & POSITION_BITS));
    }

    private int room(int wanted) {
        int room = capacity - (int) (posted - cachedCompleted);
        if (room < wanted) {
            cachedCompleted = (long) COMPLETED.getAcquire(this);
            room = capacity - (int) (posted - cachedCompleted);
        }
        return room;
    }

    @Override
    void withdraw(RequestChain chain, int first, int count) {
        posted -= count;
        chain.withdrawUses(first, count, posted);
    }

    @Override
    long complete(int position) {
        long[] ours = identifiers;
        return ours[position & (ours.length - 1)];
    }

    @Override
    void freeThrough(int position) {
        // Sends without a completion of their own are over with the next one that has one.
        int passed = position - (int) completed;
        if (passed >= 0) {
            // Released behind the reading of identifiers: from now on they may be overwritten.
            COMPLETED.setRelease(this, completed + passed + 1);
        }
    }

    @Override
    int outstanding() {
        return (int) (posted - (long) COMPLETED.getAcquire(this));
    }

    @Override
    boolean isOutstanding(ResourceUse use) {
        return !isRetired() && use.lastPosition() >= (long) COMPLETED.getAcquire(this);
    }
}
