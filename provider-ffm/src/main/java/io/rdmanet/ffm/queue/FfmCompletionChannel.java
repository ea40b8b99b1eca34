package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.CompletionChannelDescriptor;
import io.rdmanet.ffm.c.Libc;
import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.ffm.event.DescriptorWait;
import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A completion channel of libibverbs: a file descriptor that events are read from.
///
/// Each event is acknowledged as soon as it is read, before anybody learns of it. So destroying a
/// completion queue, which waits for that, waits for moments only.
final class FfmCompletionChannel implements CompletionChannel {
    private final FfmContext context;
    private final long address;
    private final DescriptorWait wait;
    private final ChildCount children = new ChildCount("the completion channel");

    /// Those that report here; copied on each change.
    private volatile FfmCompletionQueue[] queues = {};

    /// Held by whoever waits; closing waits for it.
    private final ReentrantLock waiting = new ReentrantLock();

    /// Some queue was found destroyed together with its device.
    private volatile boolean hasLostQueues;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment event = arena.allocate(2 * Long.BYTES, Long.BYTES);

    static FfmCompletionChannel create(FfmContext context) throws VerbsException {
        context.children().add("create_comp_channel");
        boolean isMade = false;
        try {
            long made = Libibverbs.ibv_create_comp_channel(context.address());
            if (Result.isFailure(made)) {
                throw new VerbsException(
                        "create_comp_channel",
                        Result.errorNumber(made),
                        "on " + context + "; is the limit of open files (ulimit -n) reached?");
            }
            FfmCompletionChannel channel = open(context, made);
            isMade = true;
            return channel;
        } finally {
            if (!isMade) {
                context.children().remove();
            }
        }
    }

    private static FfmCompletionChannel open(FfmContext context, long made) throws VerbsException {
        try {
            return new FfmCompletionChannel(context, made, new DescriptorWait(descriptor(made)));
        } catch (VerbsException e) {
            Libibverbs.ibv_destroy_comp_channel(made);
            throw e;
        }
    }

    private static int descriptor(long channel) {
        return NativeMemory.intAt(channel + CompletionChannelDescriptor.DESCRIPTOR);
    }

    private FfmCompletionChannel(FfmContext context, long address, DescriptorWait wait) {
        this.context = context;
        this.address = address;
        this.wait = wait;
    }

    @Override
    public FfmContext context() {
        return context;
    }

    /// The `struct ibv_comp_channel *`.
    long address() {
        return address;
    }

    ChildCount children() {
        return children;
    }

    synchronized void add(FfmCompletionQueue queue) {
        FfmCompletionQueue[] longer = Arrays.copyOf(queues, queues.length + 1);
        longer[queues.length] = queue;
        queues = longer;
    }

    /// Has events of a queue that is about to be destroyed go to nobody.
    synchronized void remove(FfmCompletionQueue queue) {
        queues =
                Arrays.stream(queues)
                        .filter(each -> each != queue)
                        .toArray(FfmCompletionQueue[]::new);
    }

    /// A queue was not destroyed, but found destroyed together with its device.
    void onQueueLost() {
        hasLostQueues = true;
    }

    @Override
    public @Nullable CompletionQueue awaitEvent(long timeoutNanos) throws VerbsException {
        waiting.lock();
        try {
            long start = System.nanoTime();
            long left = timeoutNanos;
            do {
                requireOpen();
                DescriptorWait.Outcome outcome = wait.await(left);
                if (outcome != DescriptorWait.Outcome.READABLE) {
                    requireOpen();
                    return null;
                }
                CompletionQueue queue = takeEvent();
                if (queue != null) {
                    return queue;
                }
                // Of a queue that was destroyed, or somebody else's wait took it.
                left = timeoutNanos - (System.nanoTime() - start);
            } while (left > 0);
            return null;
        } finally {
            waiting.unlock();
        }
    }

    private @Nullable CompletionQueue takeEvent() throws VerbsException {
        long result =
                Libibverbs.ibv_get_cq_event(address, event.address(), event.address() + Long.BYTES);
        if (Result.isFailure(result)) {
            int errno = Result.errorNumber(result);
            if (errno == ErrorNumber.EAGAIN || errno == ErrorNumber.EINTR) {
                return null;
            }
            throw new VerbsException("get_cq_event", errno, "on " + context);
        }
        long source = NativeMemory.longAt(event.address());
        Libibverbs.ibv_ack_cq_events(source, 1);
        for (FfmCompletionQueue queue : queues) {
            if (queue.address() == source) {
                return queue;
            }
        }
        return null;
    }

    @Override
    public void wakeUp() {
        wait.wakeUp();
    }

    @Override
    public void close() {
        if (!children.close("completion queues")) {
            return;
        }
        wait.wakeUp();
        waiting.lock();
        try {
            int errno = Libibverbs.ibv_destroy_comp_channel(address);
            String what = "a completion channel on " + context;
            if (!Destroying.requireChannel(errno, hasLostQueues, what)) {
                Libc.close(descriptor(address)); // all but its struct can be given back
            }
            wait.close();
            arena.close();
        } finally {
            waiting.unlock();
        }
        context.children().remove();
    }

    private void requireOpen() throws VerbsException {
        if (children.isClosed()) {
            throw new VerbsException("get_cq_event", "the completion channel is closed");
        }
    }
}
