package io.rdmanet.loopback;

import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Events of completion queues, in the order they came; one per queue at most.
final class LoopbackCompletionChannel implements CompletionChannel {
    private final LoopbackContext context;
    private final ChildCount children = new ChildCount();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<LoopbackCompletionQueue> events = new ArrayDeque<>();
    private boolean isWokenUp;
    private boolean isOpen = true;

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
        long remaining = timeoutNanos;
        lock.lock();
        try {
            while (events.isEmpty() && !isWokenUp) {
                requireOpen();
                if (remaining <= 0) {
                    return null;
                }
                remaining = changed.awaitNanos(remaining);
            }
            isWokenUp = false;
            return events.poll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wakeUp() {
        lock.lock();
        try {
            isWokenUp = true;
            changed.signal();
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
                changed.signal();
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
                changed.signalAll();
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
