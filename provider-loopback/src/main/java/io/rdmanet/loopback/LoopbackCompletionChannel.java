package io.rdmanet.loopback;

import io.rdmanet.loopback.link.Reactor;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Events of completion queues, in the order they came; one per queue at most.
///
/// A thread that waits takes the turns of the device's reactor if it can, and so hears of a peer's
/// wake-up itself.
final class LoopbackCompletionChannel implements CompletionChannel {
    private final LoopbackContext context;
    private final ChildCount children = new ChildCount();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<LoopbackCompletionQueue> events = new ArrayDeque<>();
    private boolean isWokenUp;
    private boolean isOpen = true;

    /// Threads that take turns of the reactor, and do not wait for `changed`.
    private int inTurns;

    /// Something has changed since a thread looked last. Set with the lock, before any is woken.
    private volatile boolean hasNews;

    private final BooleanSupplier news = this::hasNews;

    LoopbackCompletionChannel(LoopbackContext context) {
        this.context = context;
        context.children().add();
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public @Nullable CompletionQueue awaitEvent(long timeoutNanos) throws VerbsException {
        long deadline = System.nanoTime() + timeoutNanos;
        Reactor reactor = context.hub().reactor();
        boolean isWaiting = false;
        lock.lock();
        try {
            while (events.isEmpty() && !isWokenUp) {
                requireOpen();
                long remaining = deadline - System.nanoTime();
                if (remaining <= 0 || Thread.currentThread().isInterrupted()) {
                    return null;
                }
                if (!isWaiting) {
                    isWaiting = true;
                    reactor.beginWaiting();
                }
                if (!tryTurn(reactor, remaining) && !hasNews) {
                    changed.awaitNanos(remaining);
                }
            }
            isWokenUp = false;
            return events.poll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
            if (isWaiting) {
                reactor.endWaiting();
            }
        }
    }

    /// Takes a turn without the lock, which its end takes again.
    private boolean tryTurn(Reactor reactor, long nanos) throws InterruptedException {
        hasNews = false;
        inTurns++;
        lock.unlock();
        try {
            return reactor.tryTurn(nanos, news);
        } finally {
            lock.lock();
            inTurns--;
        }
    }

    private boolean hasNews() {
        return hasNews;
    }

    /// Lets whoever waits look again.
    private void tellWaiting() {
        hasNews = true;
        changed.signalAll();
        if (inTurns > 0) {
            context.hub().reactor().wakeUp();
        }
    }

    @Override
    public void wakeUp() {
        lock.lock();
        try {
            isWokenUp = true;
            tellWaiting();
        } finally {
            lock.unlock();
        }
    }

    /// Reports that a queue has something to poll.
    void report(LoopbackCompletionQueue queue) {
        lock.lock();
        try {
            if (!events.contains(queue)) {
                events.add(queue);
                tellWaiting();
            }
        } finally {
            lock.unlock();
        }
    }

    void add(LoopbackCompletionQueue queue) {
        requireOpenFor(queue.capacity());
        children.add();
    }

    void remove(LoopbackCompletionQueue queue) {
        lock.lock();
        try {
            events.remove(queue);
        } finally {
            lock.unlock();
        }
        children.remove();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (isOpen) {
                children.requireNone("the completion channel has open completion queues");
                isOpen = false;
                tellWaiting();
                context.children().remove();
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() throws VerbsException {
        if (!isOpen) {
            throw new VerbsException("get_cq_event", "the completion channel is closed");
        }
    }

    private void requireOpenFor(int capacity) {
        lock.lock();
        try {
            if (!isOpen) {
                throw new IllegalStateException(
                        "create_cq of " + capacity + " entries: the completion channel is closed");
            }
        } finally {
            lock.unlock();
        }
    }
}
