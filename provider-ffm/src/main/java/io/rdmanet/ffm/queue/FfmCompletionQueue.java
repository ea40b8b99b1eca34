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
import org.jspecify.annotations.Nullable;

/// A completion queue of libibverbs.
final class FfmCompletionQueue implements CompletionQueue {
    private static final int MAX_POLL_CAPACITY = 1 << 24;

    private final FfmContext context;
    private final @Nullable FfmCompletionChannel channel;
    private final long address;
    private final int capacity;
    private final ChildCount children = new ChildCount("the completion queue");
    private final PolledQueue polled;
    private final ExecutionGuard arming = new ExecutionGuard();

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
        polled = new PolledQueue(context.operations().poll(), address, this);
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

    long address() {
        return address;
    }

    PolledQueue polled() {
        return polled;
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
        return new FfmPollCompletions(polled, context.accounts(), pollCapacity);
    }

    @Override
    public void requestNotification(boolean solicitedOnly) throws VerbsException {
        if (channel == null) {
            throw new IllegalStateException(
                    "req_notify_cq: the completion queue has no channel; create it with one");
        }
        if (!arming.tryEnter()) {
            throw new IllegalStateException("req_notify_cq: " + this + " is closed");
        }
        try {
            polled.requireIntact("req_notify_cq");
            int error =
                    VerbsOperations.requestNotification(
                            context.operations().requestNotification(),
                            address,
                            solicitedOnly ? 1 : 0);
            if (error != 0) {
                throw new VerbsException("req_notify_cq", Math.abs(error), toString());
            }
        } finally {
            arming.leave();
        }
    }

    @Override
    public void close() {
        if (!children.close("queue pairs")) {
            return;
        }
        if (!ExecutionGuard.tryCloseBoth(polled.guard(), arming)) {
            children.reopen();
            throw Destroying.inUse("destroy_cq", toString());
        }
        if (channel != null) {
            channel.remove(this);
        }
        int errno = Libibverbs.ibv_destroy_cq(address);
        Destroying.require("destroy_cq", errno, toString());
        context.events().remove(this);
        if (channel != null) {
            if (Destroying.isLost(errno)) {
                channel.onQueueLost();
            }
            channel.children().remove();
        }
        context.children().remove();
    }

    @Override
    public String toString() {
        return "completion queue of " + capacity + " entries on " + context;
    }
}
