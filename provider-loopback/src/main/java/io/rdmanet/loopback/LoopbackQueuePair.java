package io.rdmanet.loopback;

import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairTransition;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A reliable connection. Its state lies in shared memory, where the peer can set it to ERROR.
///
/// **The [ExecutionRight]**, the word `executing` in shared memory, is what lets three kinds of
/// threads (posting, polling, the device's) get on with the same send queue without a lock that
/// anybody waits for: whoever finds it taken leaves the work to its holder or to a later look.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | isServing | hub's thread | volatile | volatile | state |
/// | life | control thread in RESET | volatile | volatile | |
/// | connection | control thread with the right | volatile | volatile | |
/// | isFlushDeferred | polling thread, device's thread | volatile | volatile | |
final class LoopbackQueuePair implements QueuePair {
    private static final long FLUSH_PATIENCE_NANOS = 1_000_000_000;
    private static final long STOP_LOOK_NANOS = 10_000;

    private final LoopbackProtectionDomain domain;
    private final LoopbackContext context;
    private final int number;
    private final LoopbackCompletionQueue sendCompletions;
    private final LoopbackCompletionQueue receiveCompletions;
    private final QueuePairCapacity capacity;
    private final boolean signalsAll;
    private final MemorySegment atomicResult = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final ReentrantLock control = new ReentrantLock();
    private final RetryTimer timer;

    private volatile QueuePairLife life;
    private volatile @Nullable QueuePairConnection connection;
    private volatile boolean isFlushDeferred;
    private volatile boolean hasSeenError;
    private volatile boolean isServing;
    private volatile long failedAt;
    private volatile boolean isOpen = true;
    private QueuePairAttributes attributes = QueuePairAttributes.to(QueuePairState.RESET);

    static LoopbackQueuePair create(
            LoopbackProtectionDomain domain, QueuePairInitialAttributes initial)
            throws VerbsException {
        if (!(initial.sendCompletionQueue() instanceof LoopbackCompletionQueue sends)
                || !(initial.receiveCompletionQueue() instanceof LoopbackCompletionQueue receives)
                || sends.context() != domain.context()
                || receives.context() != domain.context()) {
            throw new IllegalArgumentException(
                    "create_qp: the completion queues belong to another device");
        }
        LoopbackContext.requireWithinLimits(initial.capacity());
        return new LoopbackQueuePair(domain, initial, sends, receives);
    }

    private LoopbackQueuePair(
            LoopbackProtectionDomain domain,
            QueuePairInitialAttributes initial,
            LoopbackCompletionQueue sendCompletions,
            LoopbackCompletionQueue receiveCompletions)
            throws VerbsException {
        this.domain = domain;
        this.context = domain.context();
        this.sendCompletions = sendCompletions;
        this.receiveCompletions = receiveCompletions;
        capacity = initial.capacity();
        signalsAll = initial.signalsAll();
        timer = new RetryTimer(context.counters());
        number = context.newQueuePairNumber();
        life = newLife();
        try {
            sendCompletions.addSender(this);
            addReceiver();
        } catch (RuntimeException e) {
            life.close();
            throw e;
        }
        context.add(this);
        domain.children().add();
    }

    private void addReceiver() {
        try {
            receiveCompletions.addReceiver(this);
        } catch (RuntimeException e) {
            sendCompletions.removeSender(this);
            throw e;
        }
    }

    private QueuePairLife newLife() throws VerbsException {
        return QueuePairLife.begin(
                context,
                number,
                domain.number(),
                capacity,
                signalsAll,
                receiveCompletions.hasChannel());
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    LoopbackContext context() {
        return context;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairType type() {
        return QueuePairType.RELIABLE_CONNECTION;
    }

    @Override
    public QueuePairState state() {
        return QueuePairState.ofCode(stateCode());
    }

    /// The state's number.
    int stateCode() {
        return life.stateVolatile();
    }

    @Override
    public CompletionQueue sendCompletionQueue() {
        return sendCompletions;
    }

    @Override
    public CompletionQueue receiveCompletionQueue() {
        return receiveCompletions;
    }

    @Override
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return null;
    }

    @Override
    public QueuePairCapacity capacity() {
        return capacity;
    }

    // ---- control

    @Override
    public void modify(QueuePairAttributes change) throws VerbsException {
        control.lock();
        try {
            requireOpen("modify_qp");
            QueuePairState from = state();
            QueuePairTransition.check(type(), from, change);
            QueuePairState to = change.has(Attribute.STATE) ? change.state() : from;
            switch (to) {
                case RESET -> reset();
                case INIT -> initialise(change, from);
                case READY_TO_RECEIVE -> readyToReceive(change);
                case READY_TO_SEND -> readyToSend(change, from);
                case SEND_QUEUE_DRAINED -> replaceState(from, to);
                case ERROR -> {
                    if (from == QueuePairState.RESET) {
                        replaceState(from, to); // which no fault does
                    }
                    fail();
                }
                case SEND_QUEUE_ERROR -> throw new AssertionError("refused above");
            }
            attributes = attributes.mergedWith(change);
        } finally {
            control.unlock();
        }
    }

    @Override
    public QueuePairAttributes query() {
        control.lock();
        try {
            return attributes.withState(state());
        } finally {
            control.unlock();
        }
    }

    private void initialise(QueuePairAttributes change, QueuePairState from) throws VerbsException {
        if (change.has(Attribute.PORT_NUMBER) && change.number(Attribute.PORT_NUMBER) != 1) {
            throw new VerbsException(
                    "modify_qp",
                    ErrorNumber.EINVAL,
                    "the loopback device has port 1 only, not "
                            + change.number(Attribute.PORT_NUMBER));
        }
        if (change.has(Attribute.ACCESS_FLAGS)) {
            life.access(change.number(Attribute.ACCESS_FLAGS));
        }
        replaceState(from, QueuePairState.INIT);
    }

    private void readyToReceive(QueuePairAttributes change) throws VerbsException {
        int peerNumber = change.number(Attribute.DESTINATION_QUEUE_PAIR_NUMBER);
        GlobalIdentifier peerGid = change.addressVector().destinationGid();
        QueuePairLife current = life;
        QueuePairConnection made =
                QueuePairConnection.to(peerGid, peerNumber, this, current.sends(), atomicResult);
        current.right().begin();
        try {
            connection = made;
        } finally {
            current.right().end();
        }
        if (change.has(Attribute.ACCESS_FLAGS)) {
            current.access(change.number(Attribute.ACCESS_FLAGS));
        }
        current.minRnrTimer(change.number(Attribute.MIN_RNR_TIMER));
        current.peer(peerGid, peerNumber);
        replaceState(QueuePairState.INIT, QueuePairState.READY_TO_RECEIVE);
        // A peer that went before `connection` was set has told nobody here.
        if (made.isPeerGone()) {
            fail();
        }
    }

    private void readyToSend(QueuePairAttributes change, QueuePairState from) {
        if (from == QueuePairState.READY_TO_RECEIVE) {
            life.right().begin();
            try {
                timer.configure(
                        change.number(Attribute.TIMEOUT),
                        change.number(Attribute.RETRY_COUNT),
                        change.number(Attribute.RNR_RETRY_COUNT));
            } finally {
                life.right().end();
            }
        }
        if (change.has(Attribute.MIN_RNR_TIMER)) {
            life.minRnrTimer(change.number(Attribute.MIN_RNR_TIMER));
        }
        replaceState(from, QueuePairState.READY_TO_SEND);
        progress();
    }

    private void replaceState(QueuePairState from, QueuePairState to) {
        if (from != to && !life.replaceState(from, to)) {
            throw new IllegalStateException(
                    "modify_qp: a queue pair cannot go from " + state() + " to " + to);
        }
    }

    private void reset() throws VerbsException {
        QueuePairLife old = life;
        QueuePairConnection left = connection;
        boolean isReplaced = false;
        old.right().begin();
        try {
            old.end();
            disconnect();
            old.close();
            life = newLife();
            isReplaced = true;
            isFlushDeferred = false;
            hasSeenError = false;
            attributes = QueuePairAttributes.none();
        } finally {
            if (isReplaced) {
                old.right().retire();
            } else {
                old.right().end();
            }
        }
        receiveCompletions.armAsAsked(this);
        awaitStop(left);
    }

    /// Waits until nobody writes any more to the buffers of a queue pair that is RESET: neither the
    /// peer, nor the hub's thread for it. Called without the execution right, because the peer may
    /// be waiting for that at the same moment; and not for ever, as the peer may be stopped.
    private void awaitStop(@Nullable QueuePairConnection left) {
        VarHandle.fullFence();
        long start = System.nanoTime();
        while (isWritten(left) && System.nanoTime() - start < FLUSH_PATIENCE_NANOS) {
            LockSupport.parkNanos(STOP_LOOK_NANOS);
        }
    }

    /// The caller has put a full fence before.
    private boolean isWritten(@Nullable QueuePairConnection current) {
        return isServing || (current != null && current.isExecuting());
    }

    private void disconnect() {
        QueuePairConnection old = connection;
        connection = null;
        if (old != null) {
            old.close();
        }
    }

    /// Goes to ERROR, unless in RESET, and tells whoever waits: there is work to be flushed.
    void fail() {
        failedAt = System.nanoTime();
        if (life.fail()) {
            hasSeenError = true;
            announceError();
        }
    }

    private void announceError() {
        VarHandle.fullFence();
        sendCompletions.onCompletion(true);
        receiveCompletions.onCompletion(true);
        context.deviceThread().nudge();
    }

    /// The peer has woken this end: something completed, or it has set the state to ERROR.
    void onWake() {
        if (stateCode() == QueuePairState.ERROR.code() && !hasSeenError) {
            failedAt = System.nanoTime();
            hasSeenError = true;
            if (life.hasFault()) {
                context.raise(new AsyncEvent(AsyncEvent.Type.QUEUE_PAIR_ACCESS_ERROR, number));
            }
            announceError();
        } else {
            receiveCompletions.onCompletion(true);
        }
    }

    /// A peer's process has gone.
    void onPeerGone(GlobalIdentifier gone) {
        if (isPeer(gone)) {
            fail();
        }
    }

    /// Whether the other end is on this device.
    boolean isPeer(GlobalIdentifier gid) {
        QueuePairConnection current = connection;
        return current != null && current.peerGid().equals(gid);
    }

    // ---- work

    @Override
    public PostSend preparePostSend(SendShape shape, int count) {
        requirePositive(count);
        if (shape.maxScatterGather() > capacity.maxSendScatterGather()) {
            throw new IllegalArgumentException(
                    "the queue pair has "
                            + capacity.maxSendScatterGather()
                            + " elements per send, not "
                            + shape.maxScatterGather());
        }
        return new LoopbackPostSend(this, shape, count);
    }

    @Override
    public PostReceive preparePostReceive(int maxScatterGather, int count) {
        requirePositive(count);
        if (maxScatterGather < 0 || maxScatterGather > capacity.maxReceiveScatterGather()) {
            throw new IllegalArgumentException(
                    "the queue pair has "
                            + capacity.maxReceiveScatterGather()
                            + " elements per receive, not "
                            + maxScatterGather);
        }
        return new LoopbackPostReceive(this, maxScatterGather, count);
    }

    /// Checks an element of a request: a region of this device's and domain's, and inside it.
    LoopbackMemoryRegion checkElement(MemoryRegion region, long offset, int length) {
        if (!(region instanceof LoopbackMemoryRegion own) || own.protectionDomain() != domain) {
            throw new IllegalArgumentException(
                    "the memory region belongs to another protection domain than the queue pair");
        }
        if (offset < 0 || length < 0 || offset > own.length() - length) {
            throw new IllegalArgumentException(
                    length + " bytes at offset " + offset + " are not inside " + own);
        }
        return own;
    }

    int postSends(LoopbackPostSend send, int first, int count) throws VerbsException {
        QueuePairLife current = life;
        int state = current.state();
        if (state < QueuePairState.READY_TO_SEND.code() || !isOpen) {
            throw new IllegalStateException(
                    "post_send on "
                            + this
                            + (isOpen ? " in state " + state() : ", which is closed")
                            + "; sends need READY_TO_SEND");
        }
        for (int i = first; i < first + count; i++) {
            send.requireFits(i, capacity.maxInlineData());
        }
        SendQueue sends = current.sends();
        boolean isHeld = current.right().tryBegin();
        int accepted = sends.post(send, first, count, !isHeld);
        if (isHeld || current.right().tryBegin()) {
            executeHeld(current);
        }
        if (sends.hasUnfinished()) {
            context.deviceThread().nudge();
        }
        return accepted;
    }

    int postReceives(LoopbackPostReceive receive, int first, int count) {
        QueuePairLife current = life;
        int state = current.state();
        if (state == QueuePairState.RESET.code() || !isOpen) {
            throw new IllegalStateException(
                    "post_recv on "
                            + this
                            + (isOpen ? " in state RESET" : ", which is closed")
                            + "; receives need INIT");
        }
        int accepted = current.receives().post(receive, first, count);
        if (receiveCompletions.hasChannel()) {
            // Either this sees the error, or whoever is woken by it sees these receives.
            VarHandle.fullFence();
            if (current.state() == QueuePairState.ERROR.code()) {
                receiveCompletions.onCompletion(true);
            }
        }
        return accepted;
    }

    /// Copies a part of a message into a receive whose buffers the peer cannot reach. On the hub's
    /// thread.
    ///
    /// @return false if there is no such receive, or no more
    boolean receivePart(long position, long skip, MemorySegment source, long length) {
        QueuePairLife current = life;
        isServing = true;
        try {
            int state = current.stateVolatile();
            boolean isWanted =
                    state >= QueuePairState.READY_TO_RECEIVE.code()
                            && state < QueuePairState.ERROR.code()
                            && current.receives().isOutstanding(position);
            if (isWanted) {
                current.receives().scatter(position, skip, source, length);
            }
            return isWanted;
        } finally {
            isServing = false;
        }
    }

    /// Takes completions of sends, after getting on with those that are unfinished.
    int pollSends(LoopbackPollCompletions into, int count) {
        SendQueue sends = life.sends();
        if (sends.hasUnfinished()) {
            progress();
        }
        return sends.poll(into, count, number);
    }

    /// Takes completions of receives; in the state ERROR the others are flushed.
    int pollReceives(LoopbackPollCompletions into, int count) {
        ReceiveQueue receives = life.receives();
        int next = receives.poll(into, count, number);
        if (next == count
                && stateCode() == QueuePairState.ERROR.code()
                && receives.hasOutstanding()) {
            if (!isFlushSafe()) {
                isFlushDeferred = true;
                context.deviceThread().nudge();
                return next;
            }
            next = receives.flush(into, count, number);
        }
        return next;
    }

    /// Whether the peer has surely stopped writing. A peer that does not stop is stopped itself (by
    /// a debugger, say), and this end does not wait for it for ever.
    private boolean isFlushSafe() {
        VarHandle.fullFence();
        return !isWritten(connection)
                || (hasSeenError && System.nanoTime() - failedAt > FLUSH_PATIENCE_NANOS);
    }

    long waitingSendCompletions() {
        return life.sends().waitingCompletions();
    }

    long waitingReceiveCompletions(int limit) {
        return life.receives().waitingCompletions(limit);
    }

    /// Whether there is something that only the device's thread would get on with.
    boolean hasUnfinishedSends() {
        return isFlushDeferred || life.sends().hasUnfinished();
    }

    /// Whether work that has not completed names the region.
    boolean uses(LoopbackMemoryRegion region) {
        QueuePairLife current = life;
        return current.sends().uses(region) || current.receives().uses(region);
    }

    /// Whether the peer's end is connected to this one.
    boolean isAcceptedBy(RemoteQueuePair peer) {
        return peer.accepts(number, context.hub().instance().id());
    }

    /// Asks the peer to wake this end.
    void arm(int mode) {
        life.arm(mode);
    }

    // ---- the execution right

    /// Gets on with unfinished sends, unless somebody else does so at the moment.
    void progress() {
        QueuePairLife current = life;
        if (current.right().tryBegin()) {
            executeHeld(current);
        }
        if (isFlushDeferred && isFlushSafe()) {
            isFlushDeferred = false;
            VarHandle.fullFence();
            receiveCompletions.onCompletion(true);
        }
    }

    private void executeHeld(QueuePairLife current) {
        SendQueue sends = current.sends();
        boolean hasNews = false;
        boolean hasFailed = true;
        try {
            QueuePairConnection made = connection;
            hasNews = SendEngine.run(this, sends, timer, made == null ? null : made.engine());
            sends.captureUnfinishedInline();
            hasFailed = false;
        } finally {
            current.right().end();
            if (hasFailed) {
                fail();
            }
        }
        if (hasNews && sendCompletions.hasChannel()) {
            VarHandle.fullFence();
            sendCompletions.onCompletion(stateCode() == QueuePairState.ERROR.code());
        }
    }

    @Override
    public void close() {
        control.lock();
        try {
            if (!isOpen) {
                return;
            }
            isOpen = false;
            sendCompletions.removeSender(this);
            receiveCompletions.removeReceiver(this);
            QueuePairConnection left = connection;
            life.right().begin();
            life.end();
            disconnect();
            life.right().retire();
            life.close();
            awaitStop(left);
            context.remove(this);
            domain.children().remove();
        } finally {
            control.unlock();
        }
    }

    @Override
    public String toString() {
        return "queue pair 0x" + Integer.toHexString(number);
    }

    private void requireOpen(String verb) {
        if (!isOpen) {
            throw new IllegalStateException(verb + ": " + this + " is closed");
        }
    }

    private static void requirePositive(int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "a prepared call holds 1 request or more, not " + count);
        }
    }
}
