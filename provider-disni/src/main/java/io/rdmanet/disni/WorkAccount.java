package io.rdmanet.disni;

import io.rdmanet.internal.provider.Account;
import io.rdmanet.verbs.QueuePairCapacity;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// What is outstanding on the sends or the receives of a queue pair, which complete in the order of
/// posting: whether there is room, what the user called each request, and which memory may not be
/// closed yet. So a full queue is told before DiSNI is asked: it cannot say how far a chain came.
///
/// The device gets identifiers of ours, `wr_id`:
///
/// ```
///  63                    52           32                         0
/// +---------------------+------------+--------------------------+
/// | generation          | index      | position; 0 for receives |
/// +---------------------+------------+--------------------------+
///    number of the account
/// ```
///
/// Receives have no position in theirs, since DiSNI cannot change a prepared receive; each one that
/// completes is the oldest.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | identifiers, regions | posting thread | plain | plain | posted |
/// | posted | posting thread | own; volatile by others | volatile | a region that closes: one of both sees the other |
/// | completed | polling thread | acquire by others | release | room: what completed may be overwritten |
/// | cachedCompleted | posting thread | own | plain | |
final class WorkAccount extends Account {
    private static final VarHandle POSTED;
    private static final VarHandle COMPLETED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            POSTED = lookup.findVarHandle(WorkAccount.class, "posted", long.class);
            COMPLETED = lookup.findVarHandle(WorkAccount.class, "completed", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final long POSITION_BITS = 0xffff_ffffL;

    private final DisniQueuePair owner;
    private final boolean isOfSends;
    private final int capacity;
    private final int columns;
    private final int mask;
    private final long[] identifiers;
    private final @Nullable DisniMemoryRegion[] regions;
    private long posted;
    private long cachedCompleted;
    private long completed;

    static WorkAccount ofSends(DisniQueuePair owner, QueuePairCapacity capacity) {
        return new WorkAccount(owner, true, capacity.maxSends(), capacity.maxSendScatterGather());
    }

    static WorkAccount ofReceives(DisniQueuePair owner, QueuePairCapacity capacity) {
        return new WorkAccount(
                owner, false, capacity.maxReceives(), capacity.maxReceiveScatterGather());
    }

    private WorkAccount(
            DisniQueuePair owner, boolean isOfSends, int capacity, int maxScatterGather) {
        this.owner = owner;
        this.isOfSends = isOfSends;
        this.capacity = capacity;
        columns = maxScatterGather;
        int size = capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
        mask = size - 1;
        identifiers = new long[size];
        regions = new DisniMemoryRegion[size * columns];
    }

    DisniQueuePair owner() {
        return owner;
    }

    boolean isOfSends() {
        return isOfSends;
    }

    /// The identifier that the device gets.
    long deviceIdentifier(long position) {
        long place = isOfSends ? position & POSITION_BITS : 0;
        return ((long) number() << Integer.SIZE) | place;
    }

    // ---- the posting thread

    /// Takes up as many of a run of requests as there is room for.
    ///
    /// @return how many; the first has the position [#nextPosition()] minus that
    int begin(WorkRequests requests, int first, int count) {
        int accepted = Math.min(count, room(count));
        if (accepted <= 0) {
            return 0;
        }
        long start = posted;
        for (int i = 0; i < accepted; i++) {
            int slot = (int) (start + i) & mask;
            identifiers[slot] = requests.identifierOf(first + i);
            int from = requests.firstPlace(first + i);
            for (int column = 0; column < columns; column++) {
                regions[slot * columns + column] =
                        column < requests.maxScatterGather()
                                ? requests.regionAt(from + column)
                                : null;
            }
        }
        POSTED.setVolatile(this, start + accepted);
        return accepted;
    }

    private int room(int wanted) {
        int room = capacity - (int) (posted - cachedCompleted);
        if (room < wanted) {
            cachedCompleted = (long) COMPLETED.getAcquire(this);
            room = capacity - (int) (posted - cachedCompleted);
        }
        return room;
    }

    long nextPosition() {
        return posted;
    }

    /// Takes back the last ones, which the device did not accept.
    void withdraw(int count) {
        POSTED.setVolatile(this, posted - count);
    }

    // ---- the polling thread

    /// Frees the room of a send that has completed, and of those before it, which are over with it.
    ///
    /// @param position the low half of its identifier
    /// @return what the user called it
    long completeSend(int position) {
        long identifier = identifiers[position & mask]; // before it may be overwritten
        int passed = position - (int) completed;
        if (passed >= 0) {
            COMPLETED.setRelease(this, completed + passed + 1);
        }
        return identifier;
    }

    /// Frees the room of the oldest receive.
    ///
    /// @return what the user called it
    long completeReceive() {
        long position = completed;
        long identifier = identifiers[(int) position & mask];
        COMPLETED.setRelease(this, position + 1);
        return identifier;
    }

    // ---- anybody

    /// Whether a request that names a region has not completed.
    boolean isOutstanding(DisniMemoryRegion region) {
        if (isRetired()) {
            return false;
        }
        long end = (long) POSTED.getVolatile(this);
        for (long p = (long) COMPLETED.getAcquire(this); p < end; p++) {
            int slot = (int) p & mask;
            for (int place = slot * columns; place < (slot + 1) * columns; place++) {
                if (regions[place] == region) {
                    return true;
                }
            }
        }
        return false;
    }
}
