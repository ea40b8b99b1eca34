package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.CompletionQueueDescriptor;
import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.ffm.c.VerbsOperations;
import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A completion queue of libibverbs.
final class FfmCompletionQueue implements CompletionQueue, FfmPollCompletions.Source {
    /// No error number: a thread is in the middle of a poll.
    static final int IS_POLLED = Integer.MIN_VALUE;

    private static final int MAX_POLL_CAPACITY = 1 << 24;

    private final FfmContext context;
    private final @Nullable FfmCompletionChannel channel;
    private final long address;
    private final int capacity;
    private final ChildCount children = new ChildCount("the completion queue");
    private final ExecutionGuard polling = new ExecutionGuard();
    private final ExecutionGuard arming = new ExecutionGuard();

    /// One pause of polling at a time.
    private final ReentrantLock pausing = new ReentrantLock();

    private final CompletionStash stash = new CompletionStash();

    /// Set when the device reports it; nothing clears it.
    private volatile boolean hasFailed;

    static FfmCompletionQueue create(
            FfmContext context, int capacity, @Nullable FfmCompletionChannel channel)
            throws VerbsException {
        context.children().add("create_cq");
        boolean isMade = false;
        try {
            if (channel != null) {
                channel.children().add("create_cq");
            }
            try {
                long made =
                        Libibverbs.ibv_create_cq(
                                context.address(),
                                capacity,
                                channel == null ? 0 : channel.address());
                if (Result.isFailure(made)) {
                    throw refused(context, capacity, Result.errorNumber(made));
                }
                FfmCompletionQueue queue = new FfmCompletionQueue(context, channel, made);
                isMade = true;
                return queue;
            } finally {
                if (!isMade && channel != null) {
                    channel.children().remove();
                }
            }
        } finally {
            if (!isMade) {
                context.children().remove();
            }
        }
    }

    private static VerbsException refused(FfmContext context, int capacity, int errno) {
        String detail = "a completion queue of " + capacity + " entries on " + context;
        if (errno == ErrorNumber.EINVAL) {
            detail += "; the device's limit may be less";
        } else if (errno == ErrorNumber.ENOMEM) {
            detail += "; " + LockedMemory.hint();
        }
        return new VerbsException("create_cq", errno, detail);
    }

    private FfmCompletionQueue(
            FfmContext context, @Nullable FfmCompletionChannel channel, long address) {
        this.context = context;
        this.channel = channel;
        this.address = address;
        capacity = NativeMemory.intAt(address + CompletionQueueDescriptor.ENTRIES);
        context.events().add(this);
        if (channel != null) {
            channel.add(this);
        }
    }

    @Override
    public FfmContext context() {
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
    public long address() {
        return address;
    }

    ChildCount children() {
        return children;
    }

    @Override
    public PollCompletions preparePoll(int pollCapacity) {
        if (pollCapacity < 1 || pollCapacity > MAX_POLL_CAPACITY) {
            throw new IllegalArgumentException(
                    "a poll takes 1 to " + MAX_POLL_CAPACITY + " completions, not " + pollCapacity);
        }
        return new FfmPollCompletions(
                this, context.operations().poll(), context.accounts(), pollCapacity);
    }

    @Override
    public void enterPoll() throws VerbsException {
        if (!polling.tryEnter()) {
            throw new IllegalStateException("poll_cq: the completion queue is closed");
        }
        if (hasFailed) {
            polling.leave();
            throw overrun("poll_cq");
        }
    }

    @Override
    public void leavePoll() {
        polling.leave();
    }

    @Override
    public int takeStashed(long into, int limit) {
        return stash.isEmpty() ? 0 : stash.take(into, limit);
    }

    /// Destroys a queue pair that takes its receives from a shared queue, and gives back to that
    /// queue what it has taken and nobody has polled. The queue pair is in ERROR, so that it takes
    /// no more.
    ///
    /// @return what destroying gave: 0, or an error number; or [#IS_POLLED], and nothing is done,
    ///   if the thread that polls does not leave
    int destroySharing(long queuePair, int number, WorkQueueAccount sharedReceives) {
        pausing.lock();
        try {
            return polling.tryPause()
                    ? destroyWhilePaused(queuePair, number, sharedReceives)
                    : IS_POLLED;
        } finally {
            pausing.unlock();
        }
    }

    private int destroyWhilePaused(long queuePair, int number, WorkQueueAccount sharedReceives) {
        try {
            stash.drain(context.operations().poll(), address);
            int errno = Libibverbs.ibv_destroy_qp(queuePair);
            stash.drain(context.operations().poll(), address);
            if (errno == 0) {
                stash.giveBack(number, sharedReceives);
            }
            return errno;
        } finally {
            polling.resume();
        }
    }

    @Override
    public VerbsException pollFailed(int answer) {
        return new VerbsException(
                "poll_cq",
                "the driver answered " + answer + " for a completion queue on " + context);
    }

    @Override
    public void requestNotification(boolean solicitedOnly) throws VerbsException {
        if (channel == null) {
            throw new IllegalStateException(
                    "req_notify_cq: the completion queue has no channel; create it with one");
        }
        if (!arming.tryEnter()) {
            throw new IllegalStateException("req_notify_cq: the completion queue is closed");
        }
        try {
            if (hasFailed) {
                throw overrun("req_notify_cq");
            }
            int error =
                    VerbsOperations.requestNotification(
                            context.operations().requestNotification(),
                            address,
                            solicitedOnly ? 1 : 0);
            if (error != 0) {
                throw new VerbsException(
                        "req_notify_cq", Math.abs(error), "a completion queue on " + context);
            }
        } finally {
            arming.leave();
        }
    }

    /// The device has lost completions.
    void fail() {
        hasFailed = true;
    }

    private VerbsException overrun(String verb) {
        return new VerbsException(
                verb,
                "the completion queue of "
                        + capacity
                        + " entries was overrun; make it as large as its queue pairs' queues"
                        + " together, or poll more often");
    }

    @Override
    public void close() {
        if (!children.close("queue pairs")) {
            return;
        }
        if (!ExecutionGuard.tryCloseBoth(polling, arming)) {
            children.reopen();
            throw Destroying.inUse("destroy_cq", "a completion queue on " + context);
        }
        if (channel != null) {
            channel.remove(this);
        }
        int errno = Libibverbs.ibv_destroy_cq(address);
        Destroying.require("destroy_cq", errno, "a completion queue on " + context);
        context.events().remove(this);
        if (channel != null) {
            if (Destroying.isLost(errno)) {
                channel.onQueueLost();
            }
            channel.children().remove();
        }
        context.children().remove();
    }
}
