package io.rdmanet.disni;

import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.VerbsException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Where completion queues report, each through a native channel of its own.
///
/// Nothing can end DiSNI's wait for a native channel, so it is cut into slices, between which is
/// looked for what ends ours. With one queue, the usual case, its event wakes at once; with
/// several, after the slices of the others. A virtual thread does not wait in DiSNI at all, but
/// looks and naps: it would keep its carrier, of which there may be no more than there are threads
/// that wait, from the very thread that it waits for.
final class DisniCompletionChannel implements CompletionChannel {
    /// How long a wake-up, an interrupt or a close may go unnoticed. 100 slices per second cost
    /// some 0.2 percent of a processor.
    private static final int SLICE_MILLIS = 10;

    private static final int SHORT_SLICE_MILLIS = 1;

    /// Between two looks of a virtual thread.
    private static final long NAP_NANOS = 200_000;

    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final DisniContext context;
    private final ChildCount children = new ChildCount("the completion channel");
    private final AtomicBoolean isWoken = new AtomicBoolean();

    /// Those that report here; copied on each change.
    private volatile DisniCompletionQueue[] queues = {};

    /// Held by whoever waits; closing waits for it.
    private final ReentrantLock waiting = new ReentrantLock();

    private int next;

    static DisniCompletionChannel create(DisniContext context) {
        context.children().add("create_comp_channel");
        return new DisniCompletionChannel(context);
    }

    private DisniCompletionChannel(DisniContext context) {
        this.context = context;
    }

    @Override
    public DisniContext context() {
        return context;
    }

    ChildCount children() {
        return children;
    }

    synchronized void add(DisniCompletionQueue queue) {
        DisniCompletionQueue[] longer = Arrays.copyOf(queues, queues.length + 1);
        longer[queues.length] = queue;
        queues = longer;
    }

    synchronized void remove(DisniCompletionQueue queue) {
        queues =
                Arrays.stream(queues)
                        .filter(each -> each != queue)
                        .toArray(DisniCompletionQueue[]::new);
    }

    @Override
    public @Nullable CompletionQueue awaitEvent(long timeoutNanos) throws VerbsException {
        waiting.lock();
        try {
            long start = System.nanoTime();
            while (true) {
                requireOpen();
                if (isWoken.get() && isWoken.getAndSet(false)) {
                    return null;
                }
                if (Thread.currentThread().isInterrupted()) {
                    return null;
                }
                long left = timeoutNanos - (System.nanoTime() - start);
                CompletionQueue queue = look(left);
                if (queue != null) {
                    return queue;
                }
                if (left <= 0) {
                    return null;
                }
            }
        } finally {
            waiting.unlock();
        }
    }

    /// Looks at every queue, and then waits a slice for one of them.
    private @Nullable CompletionQueue look(long leftNanos) throws VerbsException {
        DisniCompletionQueue[] current = queues;
        int armed = 0;
        DisniCompletionQueue candidate = null;
        int turn = next++;
        for (DisniCompletionQueue queue : current) {
            if (queue.isArmed()) {
                armed++;
                if (candidate == null || (turn & 1) != 0) {
                    candidate = queue;
                }
            }
        }
        boolean isVirtual = Thread.currentThread().isVirtual();
        if (armed > 1 || leftNanos <= 0 || isVirtual) {
            for (DisniCompletionQueue queue : current) {
                if (queue.isArmed() && queue.takeEvent(0)) {
                    return queue;
                }
            }
        }
        if (leftNanos <= 0) {
            return null;
        }
        if (isVirtual) {
            LockSupport.parkNanos(Math.min(leftNanos, NAP_NANOS));
            return null;
        }
        int slice = armed > 1 ? SHORT_SLICE_MILLIS : SLICE_MILLIS;
        if (candidate == null) {
            LockSupport.parkNanos(Math.min(leftNanos, slice * NANOS_PER_MILLI));
            return null;
        }
        long leftMillis = (leftNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
        return candidate.takeEvent((int) Math.min(slice, leftMillis)) ? candidate : null;
    }

    @Override
    public void wakeUp() {
        isWoken.set(true);
    }

    @Override
    public void close() {
        if (!children.close("completion queues")) {
            return;
        }
        isWoken.set(true);
        waiting.lock(); // until whoever waits has noticed
        try {
            context.children().remove();
        } finally {
            waiting.unlock();
        }
    }

    private void requireOpen() throws VerbsException {
        if (children.isClosed()) {
            throw new VerbsException("get_cq_event", "the completion channel is closed");
        }
    }
}
