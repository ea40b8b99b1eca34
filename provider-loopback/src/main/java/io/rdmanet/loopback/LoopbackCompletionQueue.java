package io.rdmanet.loopback;

import static io.rdmanet.loopback.ring.QueuePairDescriptor.ARMED_ANY;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.ARMED_SOLICITED;
import static io.rdmanet.loopback.ring.QueuePairDescriptor.NOT_ARMED;

import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A completion queue: not a ring of its own, but the queue pairs whose completions it gathers.
///
/// Each queue pair keeps its completions in rings with one writer and one reader; polling visits
/// them in turn. That needs no lock between writers, and keeps the order of each queue.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | armed | poller sets, any thread clears | volatile | volatile, compare-and-set | rings: full fence between arming and polling, and between publishing and reading it |
/// | senders, receivers | control thread under the lock | volatile | volatile | copy on write |
/// | hasOverrun | poller | volatile | volatile | |
final class LoopbackCompletionQueue implements CompletionQueue {
    private static final VarHandle ARMED;

    static {
        try {
            ARMED =
                    MethodHandles.lookup()
                            .findVarHandle(LoopbackCompletionQueue.class, "armed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LoopbackContext context;
    private final int capacity;
    private final @Nullable LoopbackCompletionChannel channel;
    private final ChildCount children = new ChildCount();
    private final ReentrantLock lock = new ReentrantLock();

    @SuppressWarnings("unused") // through ARMED
    private volatile int armed = NOT_ARMED;

    private volatile QueuePairWork[] senders = {};
    private volatile QueuePairWork[] receivers = {};
    private volatile boolean canOverrun;
    private volatile boolean hasOverrun;
    private boolean isOpen = true;

    LoopbackCompletionQueue(
            LoopbackContext context, int capacity, @Nullable LoopbackCompletionChannel channel) {
        this.context = context;
        this.capacity = capacity;
        this.channel = channel;
        if (channel != null) {
            channel.add(this);
        }
        context.children().add();
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public @Nullable CompletionChannel channel() {
        return channel;
    }

    @Override
    public PollCompletions preparePoll(int pollCapacity) {
        if (pollCapacity < 1) {
            throw new IllegalArgumentException(
                    "a poll takes 1 completion or more, not " + pollCapacity);
        }
        return new LoopbackPollCompletions(this, pollCapacity);
    }

    @Override
    public void requestNotification(boolean solicitedOnly) throws VerbsException {
        if (channel == null) {
            throw new IllegalStateException(
                    "req_notify_cq: the completion queue has no channel; create it with one");
        }
        requireUsable();
        int mode = solicitedOnly ? ARMED_SOLICITED : ARMED_ANY;
        armed = mode;
        for (QueuePairWork receiver : receivers) {
            receiver.arm(mode);
        }
        VarHandle.fullFence();
    }

    /// Reports an event if one was asked for. The caller has published the completion and put a
    /// full fence behind it.
    ///
    /// @param isUrgent whether the completion failed or was solicited
    void onCompletion(boolean isUrgent) {
        LoopbackCompletionChannel reportTo = channel;
        int mode = armed;
        if (reportTo == null || mode == NOT_ARMED || (mode == ARMED_SOLICITED && !isUrgent)) {
            return;
        }
        if (ARMED.compareAndSet(this, mode, NOT_ARMED)) {
            reportTo.report(this);
        }
    }

    /// Takes completions.
    ///
    /// @return how many
    int poll(LoopbackPollCompletions into) throws VerbsException {
        requireUsable();
        if (canOverrun) {
            checkOverrun();
        }
        int count = 0;
        if (into.receivesFirst()) {
            count = pollReceivers(into, count);
            return pollSenders(into, count);
        }
        count = pollSenders(into, count);
        return pollReceivers(into, count);
    }

    private int pollSenders(LoopbackPollCompletions into, int taken) {
        int count = taken;
        QueuePairWork[] queuePairs = senders;
        for (int i = 0; i < queuePairs.length && count < into.capacity(); i++) {
            count = queuePairs[into.turn(i, queuePairs.length)].pollSends(into, count);
        }
        return count;
    }

    private int pollReceivers(LoopbackPollCompletions into, int taken) {
        int count = taken;
        QueuePairWork[] queuePairs = receivers;
        for (int i = 0; i < queuePairs.length && count < into.capacity(); i++) {
            count = queuePairs[into.turn(i, queuePairs.length)].pollReceives(into, count);
        }
        return count;
    }

    boolean hasChannel() {
        return channel != null;
    }

    void addSender(QueuePairWork queuePair) {
        lock.lock();
        try {
            requireOpen();
            senders = with(senders, queuePair);
            children.add();
            updateCanOverrun();
        } finally {
            lock.unlock();
        }
    }

    void addReceiver(QueuePairWork queuePair) {
        lock.lock();
        try {
            requireOpen();
            receivers = with(receivers, queuePair);
            armAsAsked(queuePair);
            children.add();
            updateCanOverrun();
        } finally {
            lock.unlock();
        }
    }

    /// Has new memory of a queue pair's report to this queue, if it is armed. It is not disarmed
    /// otherwise: somebody may be arming it at this moment.
    void armAsAsked(QueuePairWork queuePair) {
        int mode = armed;
        if (mode != NOT_ARMED) {
            queuePair.arm(mode);
        }
    }

    void removeSender(QueuePairWork queuePair) {
        lock.lock();
        try {
            senders = without(senders, queuePair);
            children.remove();
            updateCanOverrun();
        } finally {
            lock.unlock();
        }
    }

    void removeReceiver(QueuePairWork queuePair) {
        lock.lock();
        try {
            receivers = without(receivers, queuePair);
            children.remove();
            updateCanOverrun();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (isOpen) {
                children.requireNone("the completion queue has open queue pairs");
                isOpen = false;
                if (channel != null) {
                    channel.remove(this);
                }
                context.children().remove();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Completions need no room of their own here, but a card's do: more than `capacity` of them is
    /// an overrun there, and so it is here. Looked for only where the queues could hold as many.
    private void checkOverrun() throws VerbsException {
        long waiting = 0;
        for (QueuePairWork sender : senders) {
            waiting += sender.waitingSendCompletions();
        }
        for (QueuePairWork receiver : receivers) {
            waiting += receiver.waitingReceiveCompletions(capacity + 1);
        }
        if (waiting > capacity) {
            hasOverrun = true;
            context.raise(new AsyncEvent(AsyncEvent.Type.COMPLETION_QUEUE_ERROR, 0));
            for (QueuePairWork sender : senders) {
                sender.fail();
            }
            for (QueuePairWork receiver : receivers) {
                receiver.fail();
            }
            requireUsable();
        }
    }

    private void updateCanOverrun() {
        long most = 0;
        for (QueuePairWork sender : senders) {
            most += sender.plan().capacity().maxSends();
        }
        for (QueuePairWork receiver : receivers) {
            most += receiver.plan().maxReceiveCompletions();
        }
        canOverrun = most > capacity;
    }

    private void requireUsable() throws VerbsException {
        if (hasOverrun) {
            throw new VerbsException(
                    "poll_cq",
                    "the completion queue of "
                            + capacity
                            + " entries was overrun; make it as large as its queue pairs' queues"
                            + " together, or poll more often");
        }
    }

    private void requireOpen() {
        if (!isOpen) {
            throw new IllegalStateException("create_qp: the completion queue is closed");
        }
    }

    private static QueuePairWork[] with(QueuePairWork[] array, QueuePairWork added) {
        QueuePairWork[] longer = Arrays.copyOf(array, array.length + 1);
        longer[array.length] = added;
        return longer;
    }

    private static QueuePairWork[] without(QueuePairWork[] array, QueuePairWork removed) {
        return Arrays.stream(array)
                .filter(element -> element != removed)
                .toArray(QueuePairWork[]::new);
    }
}
