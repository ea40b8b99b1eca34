package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The sends of one queue pair: the posted requests, and the completions of those that were
/// executed.
///
/// ```
///   freed <= executed <= posted <= freed + capacity          positions of requests
///   taken <= reported <= taken + capacity                    positions of completions
/// ```
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | posted | posting thread | acquire by others | release | requests' columns |
/// | done | holder of the execution right | plain | plain | the execution right |
/// | executed | holder of the execution right | acquire by others | release | re-use of what the requests name |
/// | freed | polling thread | acquire by the poster | release | re-use of requests' columns |
/// | reported | holder of the execution right | acquire by the poller | release | completions' columns |
/// | taken | polling thread | plain | plain | |
///
/// The execution right passes from thread to thread by compare-and-set and release of one word, so
/// its holder reads its own fields plainly.
final class SendQueue {
    private static final VarHandle POSTED = field("posted");
    private static final VarHandle EXECUTED = field("executed");
    private static final VarHandle FREED = field("freed");
    private static final VarHandle REPORTED = field("reported");

    private final int capacity;
    private final int mask;
    private final int maxElements;
    private final int maxInlineData;
    private final boolean signalsAll;
    private final @Nullable MemorySegment inlineData;

    // Requests, by position & mask.
    private final SendOpcode[] opcodes;
    private final long[] workRequestIds;
    private final int[] flags;
    private final int[] totals;
    private final int[] counts;
    private final boolean[] isCaptured;
    private final LoopbackMemoryRegion[] regions;
    private final long[] offsets;
    private final int[] lengths;
    private final long[] remoteAddresses;
    private final int[] remoteKeys;
    private final int[] immediates;
    private final long[] firstOperands;
    private final long[] secondOperands;

    private final @Nullable DatagramColumns datagrams;

    // Completions, by position & mask.
    private final long[] completedIds;
    private final int[] completedOutcomes;
    private final int[] completedLengths;
    private final long[] completedPositions;

    private long posted;

    /// What its holder has executed, and what it has shown of that.
    private long done;

    @SuppressWarnings("unused") // through EXECUTED
    private long executed;

    @SuppressWarnings("unused") // through FREED
    private long freed;

    private long freedSeen;
    private long reported;
    private long unpublished;
    private long captured;
    private long taken;

    /// The sends of a connection.
    SendQueue(int capacity, int maxElements, int maxInlineData, boolean signalsAll) {
        this(capacity, maxElements, maxInlineData, signalsAll, null);
    }

    /// @param datagrams where each request goes, or null for a connection
    SendQueue(
            int capacity,
            int maxElements,
            int maxInlineData,
            boolean signalsAll,
            @Nullable DatagramColumns datagrams) {
        this.datagrams = datagrams;
        this.capacity = capacity;
        this.maxElements = maxElements;
        this.maxInlineData = maxInlineData;
        this.signalsAll = signalsAll;
        int slots = QueuePairDescriptor.capacity(capacity);
        mask = slots - 1;
        inlineData =
                maxInlineData == 0
                        ? null
                        : Arena.ofAuto().allocate((long) slots * maxInlineData, Long.BYTES);
        opcodes = new SendOpcode[slots];
        workRequestIds = new long[slots];
        flags = new int[slots];
        totals = new int[slots];
        counts = new int[slots];
        isCaptured = new boolean[slots];
        regions = new LoopbackMemoryRegion[slots * maxElements];
        offsets = new long[slots * maxElements];
        lengths = new int[slots * maxElements];
        remoteAddresses = new long[slots];
        remoteKeys = new int[slots];
        immediates = new int[slots];
        firstOperands = new long[slots];
        secondOperands = new long[slots];
        completedIds = new long[slots];
        completedOutcomes = new int[slots];
        completedLengths = new int[slots];
        completedPositions = new long[slots];
    }

    // ---- the posting thread

    /// Takes over prepared requests as far as there is room, and publishes them.
    ///
    /// @param capturesInline whether inline data must be taken now, because somebody else may be
    ///   executing
    /// @return how many were taken
    int post(LoopbackPostSend send, int first, int count, boolean capturesInline) {
        long position = posted;
        int accepted = 0;
        while (accepted < count && hasRoom(position)) {
            enqueue(send, first + accepted, (int) position & mask, capturesInline);
            position++;
            accepted++;
        }
        POSTED.setRelease(this, position);
        return accepted;
    }

    private boolean hasRoom(long position) {
        if (position - freedSeen < capacity) {
            return true;
        }
        freedSeen = (long) FREED.getAcquire(this);
        return position - freedSeen < capacity;
    }

    private void enqueue(LoopbackPostSend send, int from, int slot, boolean capturesInline) {
        int count = 0;
        int total = 0;
        int source = from * send.maxElements;
        int target = slot * maxElements;
        for (int i = 0; i < send.maxElements; i++) {
            int length = send.lengths[source + i];
            if (length != 0) {
                regions[target + count] = send.regions[source + i];
                offsets[target + count] = send.offsets[source + i];
                lengths[target + count] = length;
                total += length;
                count++;
            }
        }
        opcodes[slot] = send.shape().opcode();
        workRequestIds[slot] = send.workRequestIds[from];
        flags[slot] = send.flags[from];
        totals[slot] = total;
        counts[slot] = count;
        remoteAddresses[slot] = send.remoteAddresses[from];
        remoteKeys[slot] = send.remoteKeys[from];
        immediates[slot] = send.immediates[from];
        firstOperands[slot] = send.firstOperands[from];
        secondOperands[slot] = send.secondOperands[from];
        isCaptured[slot] = false;
        if (datagrams != null) {
            datagrams.copy(send.requireDatagrams(), from, slot);
        }
        if (capturesInline) {
            captureInline(slot);
        }
    }

    /// Takes the inline data of what could not be executed at once. For the holder of the execution
    /// right.
    void captureUnfinishedInline() {
        if (inlineData == null) {
            return;
        }
        long end = postedAcquire();
        for (long position = Math.max(done, captured); position < end; position++) {
            captureInline((int) position & mask);
        }
        captured = end;
    }

    private void captureInline(int slot) {
        if ((flags[slot] & SendFlags.INLINE) == 0 || isCaptured[slot] || inlineData == null) {
            return;
        }
        try {
            gather(slot, 0, inlineData, (long) slot * maxInlineData, totals[slot]);
            isCaptured[slot] = true;
        } catch (IllegalStateException regionClosedMeanwhile) {
            // Executing it will find that, too, and complete it with an error.
        }
    }

    // ---- the holder of the execution right

    /// The first position that was not executed.
    long executed() {
        return done;
    }

    /// The end of what was posted.
    long postedAcquire() {
        return (long) POSTED.getAcquire(this);
    }

    SendOpcode opcode(int slot) {
        return opcodes[slot];
    }

    int total(int slot) {
        return totals[slot];
    }

    int immediate(int slot) {
        return immediates[slot];
    }

    boolean isSolicited(int slot) {
        return (flags[slot] & SendFlags.SOLICITED) != 0;
    }

    long remoteAddress(int slot) {
        return remoteAddresses[slot];
    }

    int remoteKey(int slot) {
        return remoteKeys[slot];
    }

    long firstOperand(int slot) {
        return firstOperands[slot];
    }

    long secondOperand(int slot) {
        return secondOperands[slot];
    }

    int slot(long position) {
        return (int) position & mask;
    }

    /// Whether the request's own memory is all there.
    boolean hasOpenRegions(int slot) {
        if (isCaptured[slot]) {
            return true;
        }
        int base = slot * maxElements;
        for (int i = 0; i < counts[slot]; i++) {
            if (!regions[base + i].isOpen()) {
                return false;
            }
        }
        return true;
    }

    /// Copies `length` bytes of the request's data, from byte `skip` on, to `target`.
    void gather(int slot, long skip, MemorySegment target, long targetOffset, long length) {
        int base = slot * maxElements;
        if (isCaptured[slot] && inlineData != null) {
            long from = (long) slot * maxInlineData + skip;
            MemorySegment.copy(inlineData, from, target, targetOffset, length);
        } else if (counts[slot] == 1) {
            MemorySegment source = regions[base].segment();
            MemorySegment.copy(source, offsets[base] + skip, target, targetOffset, length);
        } else {
            transferElements(slot, skip, target, targetOffset, length, true);
        }
    }

    /// Copies `length` bytes from `source` to the request's buffers, from their byte `skip` on.
    void scatter(int slot, long skip, MemorySegment source, long sourceOffset, long length) {
        transferElements(slot, skip, source, sourceOffset, length, false);
    }

    private void transferElements(
            int slot,
            long skip,
            MemorySegment other,
            long otherOffset,
            long length,
            boolean isOut) {
        int base = slot * maxElements;
        long start = 0;
        long done = 0;
        for (int i = 0; i < counts[slot] && done < length; i++) {
            long end = start + lengths[base + i];
            long position = skip + done;
            if (position < end) {
                long part = Math.min(length - done, end - position);
                MemorySegment own = regions[base + i].segment();
                long ownOffset = offsets[base + i] + position - start;
                if (isOut) {
                    MemorySegment.copy(own, ownOffset, other, otherOffset + done, part);
                } else {
                    MemorySegment.copy(other, otherOffset + done, own, ownOffset, part);
                }
                done += part;
            }
            start = end;
        }
    }

    /// Records how a request ended; [#publish] shows it to the poller.
    void complete(long position, int status, int byteLength) {
        int slot = (int) position & mask;
        done = position + 1;
        if (status == 0 && !signalsAll && (flags[slot] & SendFlags.SIGNALED) == 0) {
            return;
        }
        int index = (int) unpublished & mask;
        completedIds[index] = workRequestIds[slot];
        completedOutcomes[index] =
                QueuePairDescriptor.outcome(status, completionOpcode(opcodes[slot]), false);
        completedLengths[index] = byteLength;
        completedPositions[index] = position;
        unpublished++;
    }

    /// Shows everything that was recorded.
    ///
    /// @return whether there is a completion that was not shown before
    boolean publish() {
        EXECUTED.setRelease(this, done);
        if (reported == unpublished) {
            return false;
        }
        REPORTED.setRelease(this, unpublished);
        return true;
    }

    // ---- any thread

    /// Whether something posted was not executed yet.
    boolean hasUnfinished() {
        long done = (long) EXECUTED.getAcquire(this);
        return done < (long) POSTED.getAcquire(this);
    }

    /// Whether a request that was not executed names the region.
    boolean uses(LoopbackMemoryRegion region) {
        long end = (long) POSTED.getAcquire(this);
        for (long position = (long) EXECUTED.getAcquire(this); position < end; position++) {
            int slot = (int) position & mask;
            for (int i = 0; i < counts[slot] && !isCaptured[slot]; i++) {
                if (regions[slot * maxElements + i] == region) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether a request that was not executed names the address handle.
    boolean uses(LoopbackAddressHandle handle) {
        long end = (long) POSTED.getAcquire(this);
        for (long position = (long) EXECUTED.getAcquire(this); position < end; position++) {
            if (datagrams != null && datagrams.names((int) position & mask, handle)) {
                return true;
            }
        }
        return false;
    }

    // ---- the polling thread

    /// Completions that were reported and not taken.
    long waitingCompletions() {
        return (long) REPORTED.getAcquire(this) - taken;
    }

    /// Takes completions, and frees the requests up to each.
    int poll(LoopbackPollCompletions into, int count, int queuePairNumber) {
        long end = (long) REPORTED.getAcquire(this);
        long position = taken;
        if (position == end) {
            return count;
        }
        int next = count;
        int index = 0;
        while (position < end && next < into.capacity()) {
            index = (int) position & mask;
            into.put(
                    next,
                    completedIds[index],
                    completedOutcomes[index],
                    completedLengths[index],
                    0,
                    queuePairNumber);
            position++;
            next++;
        }
        if (next > count) {
            FREED.setRelease(this, completedPositions[index] + 1);
            taken = position;
        }
        return next;
    }

    private static int completionOpcode(SendOpcode opcode) {
        return switch (opcode) {
            case SEND, SEND_WITH_IMMEDIATE -> 0;
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> 1;
            case RDMA_READ -> 2;
            case ATOMIC_COMPARE_AND_SWAP -> 3;
            case ATOMIC_FETCH_AND_ADD -> 4;
        };
    }

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(SendQueue.class, name, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
