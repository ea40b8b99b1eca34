package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.ReceiveWorkRequestDescriptor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The account of a shared receive queue, whose receives complete in any order and are polled by
/// several threads: each has a slot, and free slots are chained.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | identifiers, uses | posting thread | plain | plain | posting to the device, polling from it |
/// | isTaken | posting and polling threads | acquire | release | a slot's identifier and uses |
/// | freed, next | polling threads push, posting thread takes all | compare-and-set | compare-and-set, getAndSet | |
/// | free, freeCount | posting thread | own | plain | |
final class SlotAccount extends WorkQueueAccount {
    private static final VarHandle FREED;
    private static final VarHandle IS_TAKEN = MethodHandles.arrayElementVarHandle(boolean[].class);
    private static final int NONE = -1;

    static {
        try {
            FREED = MethodHandles.lookup().findVarHandle(SlotAccount.class, "freed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int columns;
    private final long[] identifiers;
    private final @Nullable ResourceUse[] uses;
    private final boolean[] isTaken;
    private final int[] next;
    private int free;

    /// The last slot of a chain that polling threads add to.
    private volatile int freed = NONE;

    /// @param capacity receives that can be outstanding
    /// @param maxScatterGather elements per receive
    SlotAccount(WorkQueue.Owner owner, int capacity, int maxScatterGather) {
        super(owner);
        columns = maxScatterGather;
        identifiers = new long[capacity];
        uses = new ResourceUse[capacity * maxScatterGather];
        isTaken = new boolean[capacity];
        next = new int[capacity];
        Arrays.setAll(next, slot -> slot + 1 < capacity ? slot + 1 : NONE);
        free = capacity == 0 ? NONE : 0;
    }

    @Override
    int begin(RequestChain chain, int first, int count) {
        long[] theirs = chain.identifiers();
        long number = (long) number() << Integer.SIZE;
        int accepted = 0;
        while (accepted < count) {
            int slot = takeSlot();
            if (slot == NONE) {
                break;
            }
            int request = first + accepted;
            identifiers[slot] = theirs[request];
            chain.copyUses(request, uses, slot * columns);
            IS_TAKEN.setRelease(isTaken, slot, true);
            NativeMemory.setLong(
                    chain.request(request) + ReceiveWorkRequestDescriptor.WORK_REQUEST_ID,
                    number | slot);
            accepted++;
        }
        return accepted;
    }

    private int takeSlot() {
        if (free == NONE) {
            free = (int) FREED.getAndSet(this, NONE);
        }
        int slot = free;
        if (slot != NONE) {
            free = next[slot];
        }
        return slot;
    }

    @Override
    void withdraw(RequestChain chain, int first, int count) {
        for (int i = first + count - 1; i >= first; i--) {
            int slot =
                    (int)
                            NativeMemory.longAt(
                                    chain.request(i)
                                            + ReceiveWorkRequestDescriptor.WORK_REQUEST_ID);
            IS_TAKEN.setRelease(isTaken, slot, false);
            next[slot] = free;
            free = slot;
        }
    }

    @Override
    long complete(int slot) {
        long identifier = identifiers[slot];
        if (!IS_TAKEN.compareAndSet(isTaken, slot, true, false)) {
            return identifier; // a device that reports one receive twice must not tear the chain
        }
        int head = freed;
        next[slot] = head;
        while (!FREED.compareAndSet(this, head, slot)) {
            head = freed;
            next[slot] = head;
        }
        return identifier;
    }

    @Override
    void freeThrough(int position) {
        // Each is free as soon as it is complete: they complete in any order.
    }

    @Override
    int outstanding() {
        int count = 0;
        for (int slot = 0; slot < isTaken.length; slot++) {
            if ((boolean) IS_TAKEN.getAcquire(isTaken, slot)) {
                count++;
            }
        }
        return count;
    }

    @Override
    boolean isOutstanding(ResourceUse use) {
        if (isRetired()) {
            return false;
        }
        for (int slot = 0; slot < isTaken.length; slot++) {
            if ((boolean) IS_TAKEN.getAcquire(isTaken, slot) && names(slot, use)) {
                return true;
            }
        }
        return false;
    }

    private boolean names(int slot, ResourceUse use) {
        for (int i = slot * columns; i < (slot + 1) * columns; i++) {
            if (uses[i] == use) {
                return true;
            }
        }
        return false;
    }
}
