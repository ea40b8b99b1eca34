package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.ACCESS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ARMED_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.COPY_OFFER_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.FAULT_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MIN_RNR_TIMER_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.NOT_ARMED;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.NO_FAULT;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.PEER_ID_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.PEER_NUMBER_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.QUEUE_KEY_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.STATE_OFFSET;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/// One life of a queue pair, from RESET to RESET: its shared memory, the state in it, and the
/// queues.
///
/// A thread that works on a life while another resets the queue pair goes on with the old one,
/// which nobody looks at any more.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | state (shared) | control threads, the peer | acquire; volatile beside `executing` | volatile, compare-and-set | attributes, `executing` |
/// | executing (shared) | its holder | acquire | compare-and-set, release | everything the holder writes |
/// | claim (shared) | its holder | acquire | compare-and-set, release | everything the holder writes |
/// | queue key (shared) | control threads | acquire | release | |
/// | attributes (shared) | control threads, before the state | plain by the peer after the state | plain | state |
final class QueuePairLife {
    private final QueuePairMemory memory;
    private final long base;
    private final ExecutionRight right;
    private final SendQueue sends;
    private final Receives receives;
    private final @Nullable CopyHelp copyHelp;
    private final DatagramClaim claim;
    private final @Nullable DatagramEngine datagrams;

    /// Begins a life in the state RESET.
    ///
    /// @param destinations where datagrams go; null for a connection
    static QueuePairLife begin(
            LoopbackContext context,
            QueuePairPlan plan,
            @Nullable DatagramDestinations destinations)
            throws VerbsException {
        QueuePairCapacity capacity = plan.capacity();
        ReceivePool shared = plan.sharedPool();
        if (shared != null || !plan.isDatagram()) {
            return begin(context, plan, destinations, shared);
        }
        ReceivePool own =
                ReceivePool.create(
                        context, capacity.maxReceives(), capacity.maxReceiveScatterGather());
        try {
            return begin(context, plan, destinations, own);
        } catch (VerbsException | RuntimeException e) {
            own.close();
            throw e;
        }
    }

    private static QueuePairLife begin(
            LoopbackContext context,
            QueuePairPlan plan,
            @Nullable DatagramDestinations destinations,
            @Nullable ReceivePool pool)
            throws VerbsException {
        if (pool != null && plan.isDatagram()) {
            pool.memory().takeDatagrams();
        }
        QueuePairMemory memory = QueuePairMemory.create(context, plan, pool);
        DatagramSender sender =
                new DatagramSender(
                        context.hub().instance().gid(), plan.number(), context.counters());
        return new QueuePairLife(memory, plan, pool, destinations, sender);
    }

    private QueuePairLife(
            QueuePairMemory memory,
            QueuePairPlan plan,
            @Nullable ReceivePool pool,
            @Nullable DatagramDestinations destinations,
            DatagramSender sender) {
        this.memory = memory;
        QueuePairCapacity capacity = plan.capacity();
        base = memory.address();
        right = new ExecutionRight(base);
        claim = new DatagramClaim(base);
        DatagramColumns columns =
                destinations == null
                        ? null
                        : new DatagramColumns(QueuePairDescriptor.capacity(capacity.maxSends()));
        sends =
                new SendQueue(
                        capacity.maxSends(),
                        capacity.maxSendScatterGather(),
                        capacity.maxInlineData(),
                        plan.signalsAll(),
                        columns);
        datagrams = destinations == null ? null : new DatagramEngine(destinations, sender);
        if (pool == null) {
            ReceiveQueue own =
                    new ReceiveQueue(
                            memory.segment(),
                            capacity.maxReceives(),
                            capacity.maxReceiveScatterGather());
            receives = own;
            copyHelp = new CopyHelp(base + COPY_OFFER_OFFSET, own);
        } else {
            receives =
                    new PooledReceives(
                            memory.segment(), plan.number(), pool, plan.sharedPool() == null);
            copyHelp = null;
        }
    }

    ExecutionRight right() {
        return right;
    }

    SendQueue sends() {
        return sends;
    }

    Receives receives() {
        return receives;
    }

    /// Helps the peer to copy; null for receives out of a pool.
    @Nullable CopyHelp copyHelp() {
        return copyHelp;
    }

    /// Executes datagrams; null for a connection.
    @Nullable DatagramEngine datagrams() {
        return datagrams;
    }

    /// Who is delivering a datagram.
    DatagramClaim claim() {
        return claim;
    }

    /// The state's number.
    int state() {
        return Words.intAcquire(base + STATE_OFFSET);
    }

    /// The state's number, not older than what this thread wrote with volatile mode before.
    int stateVolatile() {
        return Words.intVolatile(base + STATE_OFFSET);
    }

    /// Whether the peer may write to its receives. Not older than what this thread wrote with
    /// volatile mode before.
    boolean isReceiving() {
        return QueuePairDescriptor.isReceiving(stateVolatile());
    }

    /// Goes from one state to another, unless the state has changed meanwhile.
    ///
    /// @return whether it did
    boolean replaceState(QueuePairState from, QueuePairState to) {
        return Words.compareAndSetInt(base + STATE_OFFSET, from.code(), to.code());
    }

    /// Goes to ERROR, unless in RESET.
    ///
    /// @return whether the state is ERROR now
    boolean fail() {
        int state = state();
        while (state != QueuePairState.RESET.code()
                && state != QueuePairState.ERROR.code()
                && !Words.compareAndSetInt(
                        base + STATE_OFFSET, state, QueuePairState.ERROR.code())) {
            state = state();
        }
        return state != QueuePairState.RESET.code();
    }

    /// Goes to RESET for good: the peer finds nobody here.
    void end() {
        Words.setIntVolatile(base + STATE_OFFSET, QueuePairState.RESET.code());
    }

    /// Whether the peer has set the state to ERROR because of a request against the rules.
    boolean hasFault() {
        return Words.intAcquire(base + FAULT_OFFSET) != NO_FAULT;
    }

    /// Says what the peer may do.
    void access(int mask) {
        Words.setInt(base + ACCESS_OFFSET, mask);
    }

    /// Says how long the peer must wait between two tries when no receive is posted.
    void minRnrTimer(int code) {
        Words.setInt(base + MIN_RNR_TIMER_OFFSET, code);
    }

    /// Says who the peer is.
    void peer(GlobalIdentifier gid, int number) {
        Words.setInt(base + PEER_NUMBER_OFFSET, number);
        Words.setLong(base + PEER_ID_OFFSET, gid.low());
    }

    /// Says which key datagrams must have.
    void queueKey(int key) {
        Words.setIntRelease(base + QUEUE_KEY_OFFSET, key);
    }

    /// Whether a peer is still to wake this end.
    boolean isArmed() {
        return Words.intAcquire(base + ARMED_OFFSET) != NOT_ARMED;
    }

    /// Asks the peer to wake this end.
    void arm(int mode) {
        Words.setIntVolatile(base + ARMED_OFFSET, mode);
    }

    /// Takes the memory's name away.
    void close() {
        memory.close();
    }
}
