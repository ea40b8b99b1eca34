package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.ACCESS_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ARMED_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.FAULT_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.MIN_RNR_TIMER_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.NO_FAULT;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.PEER_ID_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.PEER_NUMBER_OFFSET;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.STATE_OFFSET;

import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;

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
/// | attributes (shared) | control threads, before the state | plain by the peer after the state | plain | state |
final class QueuePairLife {
    private final QueuePairMemory memory;
    private final long base;
    private final ExecutionRight right;
    private final SendQueue sends;
    private final ReceiveQueue receives;

    /// Begins a life in the state RESET.
    static QueuePairLife begin(
            LoopbackContext context,
            int number,
            int domain,
            QueuePairCapacity capacity,
            boolean signalsAll,
            boolean hasChannel)
            throws VerbsException {
        QueuePairMemory memory =
                QueuePairMemory.create(context, number, domain, capacity, hasChannel);
        return new QueuePairLife(memory, capacity, signalsAll);
    }

    private QueuePairLife(QueuePairMemory memory, QueuePairCapacity capacity, boolean signalsAll) {
        this.memory = memory;
        base = memory.address();
        right = new ExecutionRight(base);
        sends =
                new SendQueue(
                        capacity.maxSends(),
                        capacity.maxSendScatterGather(),
                        capacity.maxInlineData(),
                        signalsAll);
        receives =
                new ReceiveQueue(
                        memory.segment(),
                        capacity.maxReceives(),
                        capacity.maxReceiveScatterGather());
    }

    ExecutionRight right() {
        return right;
    }

    SendQueue sends() {
        return sends;
    }

    ReceiveQueue receives() {
        return receives;
    }

    /// The state's number.
    int state() {
        return Words.intAcquire(base + STATE_OFFSET);
    }

    /// The state's number, not older than what this thread wrote with volatile mode before.
    int stateVolatile() {
        return Words.intVolatile(base + STATE_OFFSET);
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

    /// Asks the peer to wake this end.
    void arm(int mode) {
        Words.setIntVolatile(base + ARMED_OFFSET, mode);
    }

    /// Takes the memory's name away.
    void close() {
        memory.close();
    }
}
