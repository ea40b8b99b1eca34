package io.rdmanet.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCReqNotify;
import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A completion queue that DiSNI created, with a native channel of its own: DiSNI makes none
/// without, and does not say which of a channel's queues an event is of.
final class DisniCompletionQueue implements CompletionQueue {
    private static final int MAX_POLL_CAPACITY = 1 << 20;

    private final DisniContext context;
    private final @Nullable DisniCompletionChannel channel;
    private final IbvCompChannel nativeChannel;
    private final IbvCQ queue;
    private final int capacity;
    private final SVCReqNotify requestAny;
    private final SVCReqNotify requestSolicited;
    private final ChildCount children = new ChildCount("the completion queue");
    private final CallGuard polling = new CallGuard();
    private final CallGuard arming = new CallGuard();

    /// Held while an event is waited for, for moments at a time; closing waits for it.
    private final ReentrantLock waiting = new ReentrantLock(true);

    private volatile boolean isArmed;

    static DisniCompletionQueue create(
            DisniContext context, int capacity, @Nullable DisniCompletionChannel channel)
            throws VerbsException {
        context.children().add("create_cq");
        boolean isMade = false;
        try {
            if (channel != null) {
                channel.children().add("create_cq");
            }
            try {
                DisniCompletionQueue queue = make(context, capacity, channel);
                isMade = true;
                return queue;
            } finally {
                if (!isMade && channel != null) {
                    channel.children().remove();
                }
            }
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw DisniFailure.of(
                    "create_cq", e, "a completion queue of " + capacity + " entries on " + context);
        } finally {
            if (!isMade) {
                context.children().remove();
            }
        }
    }

    private static DisniCompletionQueue make(
            DisniContext context, int capacity, @Nullable DisniCompletionChannel channel)
            throws IOException {
        RdmaVerbs verbs = context.disni().verbs();
        IbvCompChannel nativeChannel = verbs.createCompChannel(context.device());
        if (nativeChannel == null) {
            throw new VerbsException("create_comp_channel", "DiSNI gave none on " + context);
        }
        IbvCQ queue = null;
        boolean isMade = false;
        try {
            queue = verbs.createCQ(context.device(), nativeChannel, capacity, 0);
            if (queue == null) {
                throw new VerbsException("create_cq", "DiSNI gave none on " + context);
            }
            DisniCompletionQueue made =
                    new DisniCompletionQueue(context, channel, nativeChannel, queue, capacity);
            isMade = true;
            return made;
        } finally {
            if (!isMade) {
                if (queue != null) {
                    verbs.destroyCQ(queue);
                }
                verbs.destroyCompChannel(nativeChannel);
            }
        }
    }

    private DisniCompletionQueue(
            DisniContext context,
            @Nullable DisniCompletionChannel channel,
            IbvCompChannel nativeChannel,
            IbvCQ queue,
            int capacity)
            throws IOException {
        this.context = context;
        this.channel = channel;
        this.nativeChannel = nativeChannel;
        this.queue = queue;
        this.capacity = capacity;
        requestAny = context.disni().verbs().reqNotifyCQ(queue, false);
        requestSolicited = context.disni().verbs().reqNotifyCQ(queue, true);
        if (channel != null) {
            channel.add(this);
        }
    }

    @Override
    public DisniContext context() {
        return context;
    }

    IbvCQ queue() {
        return queue;
    }

    ChildCount children() {
        return children;
    }

    /// What was asked for: DiSNI does not tell what the device made of it.
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
        if (pollCapacity < 1 || pollCapacity > MAX_POLL_CAPACITY) {
            throw new IllegalArgumentException(
                    "a poll takes 1 to " + MAX_POLL_CAPACITY + " completions, not " + pollCapacity);
        }
        return DisniPollCompletions.prepare(this, polling, pollCapacity);
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
            (solicitedOnly ? requestSolicited : requestAny).execute();
            isArmed = true;
        } catch (IOException e) {
            throw DisniFailure.of("req_notify_cq", e, "a completion queue on " + context);
        } finally {
            arming.leave();
        }
    }

    /// Whether it was ever asked for events: before that there are none to wait for.
    boolean isArmed() {
        return isArmed;
    }

    /// Waits for an event of this queue, and acknowledges it at once: destroying the queue waits
    /// for events that nobody has acknowledged.
    ///
    /// @param millis how long at most; 0 never blocks
    /// @return whether there was one
    boolean takeEvent(int millis) throws VerbsException {
        waiting.lock();
        try {
            if (children.isClosed()) {
                return false;
            }
            RdmaVerbs verbs = context.disni().verbs();
            if (!verbs.getCqEvent(nativeChannel, queue, millis)) {
                return false;
            }
            verbs.ackCqEvents(queue, 1);
            return true;
        } catch (IOException e) {
            throw DisniFailure.of("get_cq_event", e, "on " + context);
        } finally {
            waiting.unlock();
        }
    }

    @Override
    public void close() {
        if (!children.close("queue pairs")) {
            return;
        }
        if (!CallGuard.tryCloseBoth(polling, arming)) {
            children.reopen();
            throw Destroying.inUse("destroy_cq", "a completion queue on " + context);
        }
        if (channel != null) {
            channel.remove(this);
        }
        waiting.lock();
        try {
            RdmaVerbs verbs = context.disni().verbs();
            int result = verbs.destroyCQ(queue);
            Destroying.require("destroy_cq", result, "a completion queue on " + context);
            boolean ignored =
                    Destroying.requireChannel(
                            verbs.destroyCompChannel(nativeChannel),
                            Destroying.isLost(result),
                            "the channel of a completion queue on " + context);
        } catch (IOException e) {
            throw new IllegalStateException("destroy_cq: " + DisniFailure.text(e), e);
        } finally {
            waiting.unlock();
        }
        if (channel != null) {
            channel.children().remove();
        }
        context.children().remove();
    }
}
