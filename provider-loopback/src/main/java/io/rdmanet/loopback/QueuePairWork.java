package io.rdmanet.loopback;

import static java.util.Objects.requireNonNull;

import io.rdmanet.loopback.link.PeerLink;
import io.rdmanet.loopback.memory.PeerRegion;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The data path of a queue pair: what is posted, executed and polled, and how it fails.
///
/// **The [ExecutionRight]**, the word `executing` in shared memory, is what lets three kinds of
/// threads (posting, polling, the device's) get on with the same send queue without a lock that
/// anybody waits for: whoever finds it taken leaves the work to its holder or to a later look.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | life | control thread in RESET, with the right | volatile | volatile | |
/// | connection | control thread with the right | volatile | volatile | |
/// | isFlushDeferred | polling thread, device's thread | volatile | volatile | |
/// | isOpen | control thread | volatile | volatile | |
/// | owesLastReceive | whoever sees the error; device's thread | volatile | volatile | |
final class QueuePairWork implements ReceivePoster {
    private final LoopbackContext context;
    private final QueuePairPlan plan;
    private final LoopbackCompletionQueue sendCompletions;
    private final LoopbackCompletionQueue receiveCompletions;
    private final RetryTimer timer;
    private final @Nullable DatagramDestinations destinations;
    private final WriterWatch writers = new WriterWatch();
    private final ClaimWatch claims;
    private final CopyHelp.Regions regionsOfPeer = this::findRegionOfPeer;

    private volatile QueuePairLife life;
    private volatile @Nullable QueuePairConnection connection;
    private volatile boolean isFlushDeferred;
    private volatile boolean isOpen = true;
    private volatile boolean owesLastReceive;

    QueuePairWork(
            LoopbackContext context,
            QueuePairPlan plan,
            LoopbackCompletionQueue sendCompletions,
            LoopbackCompletionQueue receiveCompletions)
            throws VerbsException {
        this.context = context;
        this.plan = plan;
        this.sendCompletions = sendCompletions;
        this.receiveCompletions = receiveCompletions;
        timer = new RetryTimer(context.counters());
        claims = new ClaimWatch(context);
        destinations =
                plan.isDatagram() ? new DatagramDestinations(context.hub().instance().gid()) : null;
        life = QueuePairLife.begin(context, plan, destinations);
    }

    LoopbackContext context() {
        return context;
    }

    QueuePairPlan plan() {
        return plan;
    }

    int number() {
        return plan.number();
    }

    QueuePairLife life() {
        return life;
    }

    RetryTimer timer() {
        return timer;
    }

    boolean isOpen() {
        return isOpen;
    }

    /// The state's number.
    int stateCode() {
        return life.stateVolatile();
    }

    QueuePairState state() {
        return QueuePairState.ofCode(stateCode());
    }

    // ---- the posting threads

    /// A receiver of datagrams.
    DatagramDestination destination(PeerLink link, int queuePairNumber) {
        return requireNonNull(destinations, "a connection has no destinations")
                .find(link, queuePairNumber);
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
        send.requireAllFit(first, count, plan.capacity().maxInlineData());
        SendQueue sends = current.sends();
        int accepted;
        sends.beginInPlace(send.requests());
        if (current.right().tryBegin()) {
            accepted = executeHeld(current, send.requests(), first, count);
        } else {
            try {
                accepted = sends.post(send.requests(), first, count, true);
            } finally {
                sends.endInPlace();
            }
            if (current.right().tryBegin()) {
                executeHeld(current);
            }
        }
        if (sends.hasUnfinished()) {
            context.deviceThread().nudge();
        }
        return accepted;
    }

    @Override
    public int postReceives(LoopbackPostReceive receive, int first, int count) {
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

    // ---- the execution right

    /// Gets on with unfinished sends, unless somebody else does so at the moment.
    void progress() {
        QueuePairLife current = life;
        if (current.right().tryBegin()) {
            executeHeld(current);
        }
        if (isFlushDeferred && writers.isQuiet(life, connection)) {
            isFlushDeferred = false;
            VarHandle.fullFence();
            receiveCompletions.onCompletion(true);
            if (owesLastReceive) {
                owesLastReceive = false;
                context.raise(new AsyncEvent(AsyncEvent.Type.LAST_WORK_REQUEST_REACHED, number()));
            }
        }
    }

    private void executeHeld(QueuePairLife current) {
        int none = executeHeld(current, null, 0, 0);
        assert none == 0;
    }

    /// Gets on with what was posted, and then with prepared requests. What cannot be executed at
    /// once is posted, as far as there is room.
    ///
    /// @return how many of the prepared requests were executed or posted
    private int executeHeld(
            QueuePairLife current, @Nullable SendRequests prepared, int first, int count) {
        SendQueue sends = current.sends();
        SendExecutor executor = executor(current);
        int accepted = 0;
        boolean hasNews = false;
        boolean hasFailed = true;
        try {
            if (prepared != null) {
                accepted = SendLoop.runPrepared(this, sends, executor, prepared, first, count);
                accepted += sends.post(prepared, first + accepted, count - accepted, false);
            }
            hasNews = SendLoop.run(this, sends, timer, executor);
            sends.captureUnfinishedInline();
            hasFailed = false;
        } finally {
            if (prepared != null) {
                sends.endInPlace();
            }
            if (hasFailed) {
                sends.publish(); // what was done before the failure
            }
            // Before anybody else can go on: inline data of this thread's may not be captured yet.
            boolean isNews = hasFailed && current.fail();
            if (isNews) { // noted in this life: the next one begins with the right
                noteError(writers.noticeError());
            }
            current.right().end();
            if (isNews) {
                wakeAfterError();
            }
        }
        if (hasNews && sendCompletions.hasChannel()) {
            VarHandle.fullFence();
            sendCompletions.onCompletion(stateCode() == QueuePairState.ERROR.code());
        }
        return accepted;
    }

    private @Nullable SendExecutor executor(QueuePairLife current) {
        DatagramEngine datagrams = current.datagrams();
        if (datagrams != null) {
            return datagrams;
        }
        QueuePairConnection made = connection;
        return made == null ? null : made.engine();
    }

    // ---- the polling threads

    /// Takes completions of sends, after getting on with those that are unfinished.
    int pollSends(LoopbackPollCompletions into, int count) {
        SendQueue sends = life.sends();
        if (sends.hasUnfinished()) {
            progress();
        }
        return sends.poll(into, count, number());
    }

    /// Takes completions of receives; in the state ERROR the others are flushed.
    int pollReceives(LoopbackPollCompletions into, int count) {
        QueuePairLife current = life;
        Receives receives = current.receives();
        int next = receives.poll(into, count, number());
        if (next != count) {
            return next;
        }
        CopyHelp help = current.copyHelp();
        if (next == 0 && help != null && help.isWanted()) {
            help(current, help);
        }
        if (stateCode() == QueuePairState.ERROR.code() && receives.hasOutstanding()) {
            if (!writers.isQuiet(life, connection)) {
                isFlushDeferred = true;
                context.deviceThread().nudge();
                return next;
            }
            next = receives.flush(into, count, number());
        }
        return next;
    }

    private void help(QueuePairLife current, CopyHelp help) {
        writers.helping(true);
        try {
            if (current.isReceiving()) {
                help.help(regionsOfPeer, current.right());
            }
        } finally {
            writers.helping(false);
        }
    }

    /// Finds a region of the peer's, if nobody is sending to it just then: who sends looks for
    /// regions, too.
    ///
    /// @param right of the life that asks; one that has ended finds nothing
    private @Nullable PeerRegion findRegionOfPeer(int key, ExecutionRight right) {
        if (!right.tryBegin()) {
            return null;
        }
        PeerRegion found;
        try {
            QueuePairConnection made = connection;
            RemoteQueuePair peer = made == null ? null : made.peer();
            found = peer == null ? null : peer.regions().find(key);
        } finally {
            right.end();
        }
        // Whoever found the right taken has left its sends to the holder.
        VarHandle.fullFence();
        if (life.sends().hasUnfinished()) {
            progress();
        }
        return found;
    }

    long waitingSendCompletions() {
        return life.sends().waitingCompletions();
    }

    long waitingReceiveCompletions(int limit) {
        return life.receives().waitingCompletions(limit);
    }

    // ---- the device's and the hub's thread

    /// Whether there is something that only the device's thread would get on with.
    boolean hasUnfinishedWork() {
        return isFlushDeferred || claims.isCheckDue() || life.sends().hasUnfinished();
    }

    /// Gets on with everything. On the device's thread, as it may block.
    void finishWork() {
        progress();
        if (claims.isCheckDue()) {
            claims.check(life);
        }
    }

    /// Copies a part of a message into a receive whose buffers the peer cannot reach. On the hub's
    /// thread.
    ///
    /// @return false if there is no such receive, or no more
    boolean receivePart(long position, long skip, MemorySegment source, long length) {
        QueuePairLife current = life;
        writers.serving(true);
        try {
            boolean isWanted = current.isReceiving() && current.receives().isOutstanding(position);
            if (isWanted) {
                current.receives().scatter(position, skip, source, length);
            }
            return isWanted;
        } finally {
            writers.serving(false);
        }
    }

    /// A peer has woken this end: something completed, it has set the state to ERROR, it has taken
    /// so many receives that the limit is reached, or it could not get the claim for long.
    void onWake() {
        QueuePairLife current = life;
        ReceivePool shared = plan.sharedPool();
        boolean isForLimit = shared != null && raiseLimit(shared);
        if (plan.isDatagram()) {
            claims.onWake(current);
        }
        if (stateCode() == QueuePairState.ERROR.code() && writers.noticeError()) {
            if (current.hasFault()) {
                context.raise(new AsyncEvent(AsyncEvent.Type.QUEUE_PAIR_ACCESS_ERROR, number()));
            }
            announceError(true);
        } else if (!isForLimit || !current.isArmed()) { // for completions it would have disarmed
            receiveCompletions.onCompletion(true);
        }
    }

    private boolean raiseLimit(ReceivePool shared) {
        boolean isReached = shared.hasReachedLimit();
        if (isReached) {
            context.raise(shared.limitEvent());
        }
        return isReached;
    }

    /// A peer's process has gone.
    void onPeerGone(GlobalIdentifier gone) {
        if (isPeer(gone)) {
            fail();
        }
        if (destinations != null) {
            destinations.requestSweep();
            claims.recover(life, gone.low());
        }
    }

    // ---- any thread

    /// Whether the other end is on this device.
    boolean isPeer(GlobalIdentifier gid) {
        QueuePairConnection current = connection;
        return current != null && current.peerGid().equals(gid);
    }

    /// Whether the peer's end is connected to this one.
    boolean isAcceptedBy(RemoteQueuePair peer) {
        return peer.accepts(number(), context.hub().instance().id());
    }

    /// Whether work that has not completed names the region.
    boolean uses(LoopbackMemoryRegion region) {
        QueuePairLife current = life;
        return current.sends().uses(region) || current.receives().uses(region);
    }

    /// Whether a datagram that was not sent yet names the address handle.
    boolean uses(LoopbackAddressHandle handle) {
        return life.sends().uses(handle);
    }

    /// Asks the peer to wake this end.
    void arm(int mode) {
        life.arm(mode);
    }

    /// Goes to ERROR, unless in RESET, and tells whoever waits: there is work to be flushed.
    void fail() {
        if (life.fail()) {
            announceError(writers.noticeError());
        }
    }

    private void announceError(boolean isFirst) {
        noteError(isFirst);
        wakeAfterError();
    }

    private void noteError(boolean isFirst) {
        if (isFirst && plan.sharedPool() != null) {
            owesLastReceive = true;
            isFlushDeferred = true;
        }
    }

    private void wakeAfterError() {
        VarHandle.fullFence();
        sendCompletions.onCompletion(true);
        receiveCompletions.onCompletion(true);
        context.deviceThread().nudge();
    }

    // ---- the control thread

    /// Connects to the other end.
    void connect(QueuePairConnection made) {
        ExecutionRight right = life.right();
        right.begin();
        try {
            connection = made;
        } finally {
            right.end();
        }
    }

    /// Begins a new life in RESET. Nothing of the old one is written any more when this returns.
    void renew() throws VerbsException {
        QueuePairLife old = life;
        QueuePairConnection left = connection;
        boolean isReplaced = false;
        old.right().begin();
        try {
            old.end();
            disconnect();
            old.close();
            life = QueuePairLife.begin(context, plan, destinations);
            isReplaced = true;
            isFlushDeferred = false;
            owesLastReceive = false;
            writers.reset();
        } finally {
            if (isReplaced) {
                old.right().retire();
            } else {
                old.right().end();
            }
        }
        receiveCompletions.armAsAsked(this);
        writers.awaitQuiet(old, left);
        old.receives().close();
    }

    /// Ends everything. Does nothing the second time.
    ///
    /// @return whether it was open
    boolean close() {
        if (!isOpen) {
            return false;
        }
        isOpen = false;
        sendCompletions.removeSender(this);
        receiveCompletions.removeReceiver(this);
        QueuePairLife old = life;
        QueuePairConnection left = connection;
        old.right().begin();
        old.end();
        disconnect();
        old.right().retire();
        old.close();
        writers.awaitQuiet(old, left);
        old.receives().close();
        ReceivePool shared = plan.sharedPool();
        if (shared != null) {
            boolean ignored = raiseLimit(shared); // its wake will find nobody here
        }
        return true;
    }

    /// Ends what was never added anywhere.
    void discard() {
        life.close();
        life.receives().close();
    }

    private void disconnect() {
        QueuePairConnection old = connection;
        connection = null;
        if (old != null) {
            old.close();
        }
        if (destinations != null) {
            destinations.detachAll();
        }
    }

    @Override
    public String toString() {
        return plan.toString();
    }
}
