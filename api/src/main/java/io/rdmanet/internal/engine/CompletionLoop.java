package io.rdmanet.internal.engine;

import io.rdmanet.PollMode;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.internal.setup.PortWatch;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.WorkCompletionException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Progress by the threads that wait: one of them, the leader, polls the completion queue and
/// dispatches for everybody; the others sleep (or spin) until the leader wakes them or leaves.
///
/// ## Why no wake-up is lost
///
/// A follower announces itself ([Waiter#announce()]), then tries to lead and looks at its condition
/// once more, and only then parks. A leader first changes what conditions depend on, or gives up
/// leadership, then passes a full fence and looks for announced followers. Whichever comes second
/// sees the other. The leader sleeps at the completion channel only after it asked for a
/// notification and found the queue empty. Nobody sleeps longer than [#SLICE_NANOS], so that
/// deadlines and dead peers are seen. With [PollMode#BUSY] nobody sleeps, and none of this is done.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | leading | all | getAcquire | compareAndSet, setRelease by the leader | the next leader, which sees all that was dispatched |
/// | receiverSleeps | receiving thread | volatile | volatile | whoever closes a lease and asks whether to return its credit at once |
/// | link, portWatch, isOpened | the thread that opens | plain | plain | handing over of the connection |
/// | lastLinkCheck, firstFlush, firstFlushNanos | leader | plain | plain | leading |
final class CompletionLoop {
    /// Or-ed to the identifiers of receives; the rest is the slot. Sends have their sequence
    /// number.
    static final long RECEIVE_TAG = 1L << 62;

    private static final long SLICE_NANOS = 100_000_000;
    private static final long LINK_CHECK_NANOS = 10_000_000;

    private static final long SPIN_NANOS = 20_000;

    /// How long a thread blocks before it returns credits that the peer does not need yet.
    private static final long CREDIT_DELAY_NANOS = 1_000_000;

    // Without a completion channel there is only a compromise between latency and load.
    private static final long NAP_NANOS = 50_000;
    private static final long LONGEST_NAP_NANOS = 1_000_000;
    private static final long REASON_NANOS = 100_000_000;
    private static final int POLL_CAPACITY = 64;
    private static final int ROUNDS_PER_CLOCK = 16;
    private static final int ROUNDS_PER_BUSY_CLOCK = 1024;

    private static final VarHandle LEADING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            LEADING = lookup.findVarHandle(CompletionLoop.class, "leading", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PollMode mode;
    private final CompletionQueue completionQueue;
    private final @Nullable CompletionChannel channel;
    private final PollCompletions completions;
    private final int queuePairNumber;
    private final ConnectionState state;
    private final SendSide sendSide;
    private final ReceiveSide receiveSide;
    private final Probe probe;
    private final Waiter sender = new Waiter();
    private final Waiter receiver = new Waiter();
    private final Waiter owner = new Waiter();
    private @Nullable Link link;
    private @Nullable PortWatch portWatch;
    private boolean isOpened;

    @SuppressWarnings("UnusedVariable") // reached through LEADING
    private boolean leading;

    private volatile boolean receiverSleeps;
    private long lastLinkCheck;
    private @Nullable WorkCompletionException firstFlush;
    private long firstFlushNanos;

    CompletionLoop(
            Resources resources,
            PollMode mode,
            ConnectionState state,
            SendSide sendSide,
            ReceiveSide receiveSide,
            Probe probe) {
        this.mode = mode;
        this.completionQueue = resources.completionQueue;
        this.channel = resources.channel;
        this.completions = completionQueue.preparePoll(POLL_CAPACITY);
        this.queuePairNumber = resources.queuePair.number();
        this.state = state;
        this.sendSide = sendSide;
        this.receiveSide = receiveSide;
        this.probe = probe;
        this.lastLinkCheck = System.nanoTime();
    }

    /// The link is there; before, the peer cannot be gone.
    void link(Link established) {
        link = established;
        portWatch = new PortWatch(established);
    }

    /// The peer has introduced itself; from now on it is told of failures.
    void opened() {
        isOpened = true;
    }

    /// The place of the thread that sends.
    Waiter sender() {
        return sender;
    }

    /// The place of the thread that receives.
    Waiter receiver() {
        return receiver;
    }

    /// The place of the thread that opens or closes.
    Waiter owner() {
        return owner;
    }

    /// Whether the receiving thread sleeps, or is about to and has not yet returned the credits
    /// that are owed.
    boolean isReceiverAsleep() {
        return receiverSleeps;
    }

    /// Polls once if nobody else does. Never blocks.
    void tryProgress() {
        if (tryLead()) {
            try {
                poll();
            } finally {
                stopLeading();
            }
        }
    }

    /// Waits until a condition is over, making progress meanwhile.
    ///
    /// @throws io.rdmanet.DeadlineException when the waiter's deadline has passed
    /// @throws java.io.InterruptedIOException when the thread is interrupted, its status set
    void await(Waiter waiter, Waiter.Reason reason, Awaited condition) throws IOException {
        if (condition.isOver()) {
            return;
        }
        // What has come already is no wait: the clock, read for one, costs as much as a message.
        tryProgress();
        if (condition.isOver()) {
            return;
        }
        WaitEvent event = probe.isOn() ? WaitEvent.beginIfRecorded() : null;
        long start = System.nanoTime();
        waiter.waitFor(reason, start);
        boolean leads = false;
        try {
            long rounds = 0;
            while (true) {
                leads = leads || tryLead();
                boolean progressed = leads && poll() > 0;
                if (condition.isOver()) {
                    return;
                }
                rounds++;
                if (mode == PollMode.BUSY) {
                    spinBusily(waiter, leads, rounds);
                } else if (!progressed && !isSpinning(start, rounds)) {
                    leads = block(waiter, condition, leads, start, rounds);
                    checkTime(waiter, leads, System.nanoTime());
                } else if (progressed && rounds % ROUNDS_PER_CLOCK == 0) {
                    // Something for others in every round must not keep this one beyond its time.
                    checkTime(waiter, leads, System.nanoTime());
                }
            }
        } finally {
            if (leads) {
                stopLeading();
            }
            probe.waited(reason, start);
            if (event != null) {
                event.queuePair = queuePairNumber;
                event.reason = reason.words();
                event.commit();
            }
        }
    }

    /// Lets time pass for somebody whom the device refused room. Never longer than a nap.
    void backOff(Waiter waiter, Waiter.Reason reason) throws IOException {
        long now = System.nanoTime();
        waiter.waitFor(reason, now);
        tryProgress();
        LockSupport.parkNanos(NAP_NANOS);
        waiter.check(now);
    }

    /// Wakes everybody: the connection has ended in some way.
    void wakeAll() {
        VarHandle.fullFence();
        sender.wake();
        receiver.wake();
        owner.wake();
        if (channel != null) {
            channel.wakeUp();
        }
    }

    /// Polls until everything posted has ended, or nothing came for so long. For the thread that
    /// closes, after the queue pair was put into the error state.
    ///
    /// @param idleNanos how long nothing may come
    /// @param totalNanos how long it may take in all
    void drain(long idleNanos, long totalNanos) {
        long start = System.nanoTime();
        long last = start;
        while (!sendSide.isDrained() || !receiveSide.isDrained()) {
            if (tryLead()) {
                int count;
                try {
                    count = poll();
                } finally {
                    stopLeading();
                }
                if (count > 0) {
                    last = System.nanoTime();
                    if (last - start > totalNanos) {
                        return;
                    }
                    continue;
                }
            }
            long now = System.nanoTime();
            if (now - last > idleNanos || now - start > totalNanos) {
                return;
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /// The connection has failed: everybody is woken, the peer is told.
    void fail(IOException cause) {
        state.fail(cause);
        Link established = link;
        if (established != null && isOpened) {
            established.disconnect();
        }
        wakeAll();
    }

    // ---- leading

    private boolean tryLead() {
        return !(boolean) LEADING.getAcquire(this)
                && (boolean) LEADING.compareAndSet(this, false, true);
    }

    private void stopLeading() {
        LEADING.setRelease(this, false);
        if (mode == PollMode.BUSY) {
            return; // nobody parks, and a fence would cost as much as the rest of it
        }
        VarHandle.fullFence();
        sender.wake();
        receiver.wake();
        owner.wake();
    }

    /// Takes what has completed and dispatches it; a failure to do so ends the connection. Leader
    /// only.
    ///
    /// @return how many there were
    private int poll() {
        try {
            int total = pollOnce();
            while (firstFlush != null && !state.isBroken()) {
                int count = pollOnce();
                total += count;
                if (count == 0 && !mayStillTellWhy()) {
                    state.lose("its work was flushed" + route(), firstFlush);
                    wakeAll();
                }
            }
            return total;
        } catch (VerbsException e) {
            fail(e);
        } catch (RuntimeException e) {
            fail(new IOException("handling a completion failed: " + e, e));
        } catch (Error e) {
            fail(new IOException("handling a completion failed: " + e, e));
            throw e;
        }
        return 0;
    }

    /// Devices may flush receives before they report the send that failed. An end that is wanted
    /// needs no reason.
    private boolean mayStillTellWhy() {
        Thread.onSpinWait();
        return state.isOpen() && System.nanoTime() - firstFlushNanos < REASON_NANOS;
    }

    private int pollOnce() throws VerbsException {
        long start = probe.start();
        int count = completions.execute();
        if (count > 0) {
            probe.stop(Probe.POLL_NANOS, start);
            wakeFollowers(dispatch(count));
        }
        return count;
    }

    /// @return whether a send completed
    private boolean dispatch(int count) throws VerbsException {
        boolean sent = false;
        for (int i = 0; i < count; i++) {
            long identifier = completions.workRequestId(i);
            boolean isReceive = (identifier & RECEIVE_TAG) != 0;
            if (!completions.succeeded(i)) {
                onFailed(i, identifier, isReceive);
            } else if (isReceive) {
                boolean hasHeader = completions.hasImmediate(i);
                receiveSide.onArrived(
                        (int) identifier,
                        completions.byteLength(i),
                        hasHeader,
                        hasHeader ? completions.immediate(i) : 0);
            } else {
                sendSide.onCompleted(identifier);
                sent = true;
            }
        }
        return sent;
    }

    private void wakeFollowers(boolean sent) {
        int events = receiveSide.takeEvents();
        // For sleepers; and for credits: either the open control window is seen by whoever has just
        // posted receives again, or those receives are seen below.
        boolean isWindowNews = (events & ReceiveSide.EVENT_ACKNOWLEDGEMENT) != 0;
        if (mode != PollMode.BUSY || isWindowNews) {
            VarHandle.fullFence();
        }
        if (mode != PollMode.BUSY) {
            if (sent || (events & ReceiveSide.EVENT_CREDIT) != 0) {
                sender.wake();
            }
            if ((events & ReceiveSide.EVENT_MESSAGE) != 0) {
                receiver.wake();
            }
        }
        if (state.endsSending()) {
            wakeAll();
        }
        // What arrived may have reopened the control window for credits that are owed.
        if ((events & ReceiveSide.EVENT_CREDIT) != 0) {
            returnCredits(isReceiverAsleep());
        }
    }

    /// Returns credits if that is due; a failure to do so ends the connection.
    ///
    /// @param blocking whether a thread of this end blocks or is about to
    void returnCredits(boolean blocking) {
        try {
            sendSide.returnCredits(blocking);
        } catch (VerbsException e) {
            fail(e);
        }
    }

    private void onFailed(int index, long identifier, boolean isReceive) {
        CompletionStatus status = completions.status(index);
        if (isReceive) {
            receiveSide.onFailed();
        } else {
            sendSide.onFailed(identifier);
        }
        if (state.isBroken()) {
            return;
        }
        boolean isFlush = status == CompletionStatus.WORK_REQUEST_FLUSH_ERROR;
        if (isFlush && firstFlush != null) {
            return;
        }
        String doing = isReceive ? "receiving a frame" : "sending a frame";
        WorkCompletionException cause = new WorkCompletionException(doing, completions, index);
        if (isFlush) {
            // The end of everything outstanding, but not the reason: that may come later in the
            // queue. If none does, the device gave up the queue pair without an error of ours.
            firstFlush = cause;
            firstFlushNanos = System.nanoTime();
        } else if (status == CompletionStatus.RETRY_EXCEEDED_ERROR
                || state.isFinished()
                || isPeerGone()) {
            state.lose("a send was not answered" + route(), cause);
        } else {
            fail(cause);
        }
    }

    // ---- waiting

    @SuppressWarnings("ThreadPriorityCheck") // fewer cores than busy threads must work, if slowly
    private void spinBusily(Waiter waiter, boolean leads, long rounds) throws IOException {
        if (rounds % ROUNDS_PER_BUSY_CLOCK == 0) {
            // Somebody else may need this core, the peer for instance.
            Thread.yield();
            returnCredits(true);
            checkTime(waiter, leads, System.nanoTime());
        }
        Thread.onSpinWait();
    }

    private boolean isSpinning(long start, long rounds) {
        if (mode != PollMode.ADAPTIVE) {
            return false;
        }
        Thread.onSpinWait();
        return rounds % ROUNDS_PER_CLOCK != 0 || System.nanoTime() - start < SPIN_NANOS;
    }

    /// Sleeps once, at the channel or parked.
    ///
    /// @param start when the wait began
    /// @return whether the thread leads now
    private boolean block(Waiter waiter, Awaited condition, boolean leads, long start, long rounds)
            throws IOException {
        long now = System.nanoTime();
        boolean delaysCredits = now - start < CREDIT_DELAY_NANOS && sendSide.mayDelayCredits();
        boolean announcesSleep = waiter == receiver && !delaysCredits;
        if (announcesSleep) {
            receiverSleeps = true;
        }
        try {
            long limit = SLICE_NANOS;
            if (delaysCredits) {
                limit = CREDIT_DELAY_NANOS;
            } else {
                returnCredits(true);
            }
            long slice = Math.clamp(waiter.remaining(now), 1, limit);
            if (leads) {
                blockAsLeader(waiter, condition, slice, rounds);
                return true;
            }
            waiter.announce();
            try {
                if (tryLead()) {
                    return true;
                }
                if (!condition.isOver()) {
                    LockSupport.parkNanos(this, slice);
                }
                return false;
            } finally {
                waiter.withdraw();
            }
        } finally {
            if (announcesSleep) {
                receiverSleeps = false;
            }
        }
    }

    private void blockAsLeader(Waiter waiter, Awaited condition, long slice, long rounds)
            throws IOException {
        if (channel == null) {
            waiter.announce();
            if (!condition.isOver()) {
                long nap = Math.min(LONGEST_NAP_NANOS, NAP_NANOS * (1 + rounds / 64));
                LockSupport.parkNanos(this, Math.min(slice, nap));
            }
            waiter.withdraw();
            return;
        }
        completionQueue.requestNotification(false);
        if (poll() == 0 && !condition.isOver()) {
            channel.awaitEvent(slice);
        }
    }

    private void checkTime(Waiter waiter, boolean leads, long now) throws IOException {
        if (leads && now - lastLinkCheck >= LINK_CHECK_NANOS) {
            lastLinkCheck = now;
            if (!state.isBroken() && isPeerGone()) {
                // What it sent before it went has arrived: look at that first.
                while (poll() > 0 && !state.isBroken()) {
                    Thread.onSpinWait();
                }
                Link established = link;
                state.lose(established == null ? "" : established.howGone(), null);
                wakeAll();
            }
            checkPort(waiter, now);
        }
        waiter.check(now);
    }

    /// Nothing that this end sends gets through while its port is down.
    private void checkPort(Waiter waiter, long now) {
        PortWatch watch = portWatch;
        if (watch != null
                && !sendSide.isComplete()
                && !state.isBroken()
                && watch.seesPortDown(waiter.waited(now), now)) {
            state.lose("a send was not answered" + route(), null);
            wakeAll();
        }
    }

    private String route() {
        String route = link == null ? "" : link.route();
        return route.isEmpty() ? "" : ", " + route;
    }

    private boolean isPeerGone() {
        Link established = link;
        return established != null && established.isPeerGone();
    }
}
