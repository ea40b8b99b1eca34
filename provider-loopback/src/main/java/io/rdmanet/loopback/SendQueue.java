package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.verbs.SendOpcode;
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
/// | inPlace | posting thread | volatile by others | opaque before it takes the execution right, release after | `isOpen` of regions |
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
    private static final VarHandle IN_PLACE = field("inPlace", SendRequests.class);

    private final int capacity;
    private final int mask;
    private final boolean signalsAll;

    /// Requests, by position & mask.
    private final SendRequests requests;

    // Completions, by position & mask.
    private final long[] completedIds;
    private final int[] completedOutcomes;
    private final int[] completedLengths;
    private final long[] completedPositions;

    private long posted;

    /// Prepared requests that may be being executed where they are.
    @SuppressWarnings("unused") // through IN_PLACE
    private @Nullable SendRequests inPlace;

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
        this.capacity = capacity;
        this.signalsAll = signalsAll;
        int slots = QueuePairDescriptor.capacity(capacity);
        mask = slots - 1;
        requests = new SendRequests(slots, maxElements, maxInlineData, datagrams);
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
    int post(SendRequests send, int first, int count, boolean capturesInline) {
        int accepted = room(count);
        if (accepted <= 0) {
            return 0;
        }
        for (int i = 0; i < accepted; i++) {
            int slot = (int) (posted + i) & mask;
            requests.take(send, first + i, slot);
            if (capturesInline) {
                requests.captureInline(slot);
            }
        }
        POSTED.setRelease(this, posted + accepted);
        return accepted;
    }

    /// How many requests there is room for.
    ///
    /// @param wanted the most that matter
    int room(int wanted) {
        if (capacity - (posted - freedSeen) < wanted) {
            freedSeen = (long) FREED.getAcquire(this);
        }
        return (int) Math.min(wanted, capacity - (posted - freedSeen));
    }

    /// Prepared requests may be executed where they are from now on. Before the execution right is
    /// taken, whose compare-and-set puts a full fence behind this: either whoever closes a region
    /// sees them, or executing them sees that it is closed.
    void beginInPlace(SendRequests prepared) {
        IN_PLACE.setOpaque(this, prepared);
    }

    /// No prepared requests are executed any more.
    void endInPlace() {
        IN_PLACE.setRelease(this, (SendRequests) null);
    }

    /// Counts as posted what was executed where it was prepared.
    void postExecuted() {
        EXECUTED.setRelease(this, done);
        POSTED.setRelease(this, done);
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

    /// What was posted, by [#slot].
    SendRequests requests() {
        return requests;
    }

    int slot(long position) {
        return (int) position & mask;
    }

    /// Takes the inline data of what could not be executed at once.
    void captureUnfinishedInline() {
        long end = postedAcquire();
        for (long position = Math.max(done, captured); position < end; position++) {
            requests.captureInline((int) position & mask);
        }
        captured = end;
    }

    /// Records how a request ended; [#publish] shows it to the poller.
    void complete(long position, int status, int byteLength) {
        complete(position, requests, (int) position & mask, status, byteLength);
    }

    /// Records how the next request ended that was executed where it was prepared. For the posting
    /// thread, while nothing that was posted is unfinished; [#postExecuted] comes after.
    void completeUnposted(SendRequests from, int index, int status) {
        complete(done, from, index, status, from.total(index));
    }

    /// Records that the next requests succeeded that were executed where they were prepared.
    void completeAll(SendRequests from, int first, int count) {
        long position = done;
        for (int i = first; i < first + count; i++) {
            if (signalsAll || from.isSignaled(i)) {
                complete(position, from, i, 0, from.total(i));
            }
            position++;
        }
        done = position;
    }

    private void complete(long position, SendRequests from, int index, int status, int byteLength) {
        done = position + 1;
        if (status == 0 && !signalsAll && !from.isSignaled(index)) {
            return;
        }
        int entry = (int) unpublished & mask;
        completedIds[entry] = from.workRequestIds[index];
        completedOutcomes[entry] =
                QueuePairDescriptor.outcome(status, completionOpcode(from.opcodes[index]), false);
        completedLengths[entry] = byteLength;
        completedPositions[entry] = position;
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
        SendRequests prepared = (SendRequests) IN_PLACE.getVolatile(this);
        if (prepared != null && prepared.names(region)) {
            return true;
        }
        long end = (long) POSTED.getAcquire(this);
        for (long position = (long) EXECUTED.getAcquire(this); position < end; position++) {
            if (requests.uses((int) position & mask, region)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a request that was not executed names the address handle.
    boolean uses(LoopbackAddressHandle handle) {
        DatagramColumns columns = requests.datagrams;
        long end = (long) POSTED.getAcquire(this);
        for (long position = (long) EXECUTED.getAcquire(this); position < end; position++) {
            if (columns != null && columns.names((int) position & mask, handle)) {
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
        return field(name, long.class);
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(SendQueue.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
