package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.WorkCompletionDescriptor;
import io.rdmanet.internal.provider.AccountTable;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/// An array of native completions, filled by one poll after another. The device's identifiers in it
/// are replaced by the user's as soon as it is filled.
///
/// Reading fences the array without try and finally, as [RequestChain] does and for its reasons.
final class FfmPollCompletions implements PollCompletions {
    private static final int SIZE = WorkCompletionDescriptor.SIZE;
    private static final int WORK_REQUEST_ID = WorkCompletionDescriptor.WORK_REQUEST_ID;

    private final PolledQueue queue;
    private final AccountTable<WorkQueueAccount> accounts;
    private final int capacity;

    /// Freed with this object, which needs no closing.
    private final MemorySegment memory;

    private final long entries;
    private int count;

    FfmPollCompletions(PolledQueue queue, AccountTable<WorkQueueAccount> accounts, int capacity) {
        this.queue = queue;
        this.accounts = accounts;
        this.capacity = capacity;
        memory = Arena.ofAuto().allocate((long) capacity * SIZE, Long.BYTES);
        entries = memory.address();
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int execute() throws VerbsException {
        count = 0;
        queue.enter();
        try {
            int polled;
            do {
                polled = queue.poll(entries, capacity);
                count = polled == 1 ? settleOne() : settle(polled);
                // Polls again if everything was of queues that are no more.
            } while (count == 0 && polled > 0);
            return count;
        } finally {
            queue.leave();
            Reference.reachabilityFence(memory);
        }
    }

    /// Does what [#settle(int)] does for one, as most polls of short queues find.
    private int settleOne() {
        long identifier = NativeMemory.longAt(entries + WORK_REQUEST_ID);
        WorkQueueAccount account = accounts.find((int) (identifier >>> Integer.SIZE));
        if (account == null) {
            return 0;
        }
        int position = (int) identifier;
        complete(account, position, entries);
        account.freeThrough(position);
        return 1;
    }

    /// Tells the accounts what has completed, and puts the user's identifiers into the entries.
    /// Completions of queues that are no more are left out.
    ///
    /// @return how many are left
    private int settle(int polled) {
        int kept = 0;
        int lastPosition = 0;
        int number = 0;
        WorkQueueAccount account = null;
        for (int i = 0; i < polled; i++) {
            long entry = entries + (long) i * SIZE;
            long identifier = NativeMemory.longAt(entry + WORK_REQUEST_ID);
            int wanted = (int) (identifier >>> Integer.SIZE);
            int position = (int) identifier;
            if (account == null || wanted != number) {
                if (account != null) {
                    account.freeThrough(lastPosition);
                }
                account = accounts.find(wanted);
                number = wanted;
                lastPosition = position;
            } else if (position - lastPosition > 0) { // an old one again frees nothing
                lastPosition = position;
            }
            if (account != null) {
                long target = entries + (long) kept * SIZE;
                if (kept != i) {
                    NativeMemory.copy(entry, target, SIZE);
                }
                complete(account, position, target);
                kept++;
            }
        }
        if (account != null) {
            account.freeThrough(lastPosition);
        }
        return kept;
    }

    private static void complete(WorkQueueAccount account, int position, long entry) {
        NativeMemory.setLong(entry + WORK_REQUEST_ID, account.complete(position));
        if (NativeMemory.intAt(entry + WorkCompletionDescriptor.STATUS) != 0) {
            account.owner().onFailedCompletion();
        }
    }

    @Override
    @SuppressWarnings("ReachabilityFenceUsage") // as the class says
    public long workRequestId(int index) {
        long identifier = NativeMemory.longAt(entry(index) + WORK_REQUEST_ID);
        Reference.reachabilityFence(memory);
        return identifier;
    }

    @Override
    public CompletionStatus status(int index) {
        return CompletionStatus.of(statusCode(index));
    }

    @Override
    public int statusCode(int index) {
        return field(index, WorkCompletionDescriptor.STATUS);
    }

    @Override
    public boolean succeeded(int index) {
        return statusCode(index) == 0;
    }

    @Override
    public CompletionOpcode opcode(int index) {
        return CompletionOpcode.of(field(index, WorkCompletionDescriptor.OPCODE));
    }

    @Override
    public int byteLength(int index) {
        return field(index, WorkCompletionDescriptor.BYTE_LENGTH);
    }

    @Override
    public boolean hasImmediate(int index) {
        return (flags(index) & WorkCompletionDescriptor.FLAG_IMMEDIATE) != 0;
    }

    @Override
    public int immediate(int index) {
        // In network order, on a little-endian machine.
        return Integer.reverseBytes(field(index, WorkCompletionDescriptor.IMMEDIATE));
    }

    @Override
    public int queuePairNumber(int index) {
        return field(index, WorkCompletionDescriptor.QUEUE_PAIR_NUMBER);
    }

    @Override
    public int sourceQueuePair(int index) {
        return field(index, WorkCompletionDescriptor.SOURCE_QUEUE_PAIR);
    }

    @Override
    public boolean hasGlobalRoute(int index) {
        return (flags(index) & WorkCompletionDescriptor.FLAG_GLOBAL_ROUTE) != 0;
    }

    @Override
    public int vendorError(int index) {
        return field(index, WorkCompletionDescriptor.VENDOR_ERROR);
    }

    private int flags(int index) {
        return field(index, WorkCompletionDescriptor.FLAGS);
    }

    @SuppressWarnings("ReachabilityFenceUsage") // as the class says
    private int field(int index, int offset) {
        int value = NativeMemory.intAt(entry(index) + offset);
        Reference.reachabilityFence(memory);
        return value;
    }

    private long entry(int index) {
        return entries + (long) Objects.checkIndex(index, count) * SIZE;
    }
}
