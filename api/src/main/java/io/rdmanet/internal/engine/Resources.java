package io.rdmanet.internal.engine;

import io.rdmanet.ConnOptions;
import io.rdmanet.PollMode;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.internal.setup.Rendezvous;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a connection is made of: domain, queues, memory and prepared calls. Taken one after another
/// and released the other way round; what fails half way releases what it took.
///
/// The queues are as large as everything that can ever be in them, so neither a send queue nor a
/// completion queue runs over:
///
/// - receives: the window, the control window, one for the hello
/// - sends: as many data frames as the window of this end, as many control frames as have a place
/// - completions: both together
final class Resources {
    /// Control frames that this end has receives for.
    static final int CONTROL_WINDOW = 5;

    /// Control frames that may be in the send queue: the window, and one whose acknowledgement may
    /// come before its completion.
    static final int CONTROL_SENDS = CONTROL_WINDOW + 1;

    /// Frames in one chain at most.
    static final int MAX_CHAIN = 64;

    /// The longest frame in a slot that goes inline. Small frames then need no read of host memory
    /// by the device.
    private static final int WANTED_INLINE_DATA = 256;

    /// More inline data than any card keeps in its queue: a device that takes so much reads it
    /// where it is, so that a whole frame saves a copy. On a card it would only make queue entries
    /// longer.
    private static final int LONG_INLINE_DATA = 4096;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Rendezvous rendezvous;

    final ProtectionDomain domain;
    final @Nullable CompletionChannel channel;
    final CompletionQueue completionQueue;
    final QueuePair queuePair;
    final SlotMemory receiveMemory;
    final SlotMemory sendMemory;
    final PostReceive postReceive;
    final PostSend postData;
    final PostSend postControl;
    final int maxInlineData;

    /// The longest payload that the device takes straight from the application's memory, without a
    /// slot in between; 0 if it can take none.
    final int maxUnregisteredBytes;

    private @Nullable Link link;

    Resources(Rendezvous rendezvous, ConnOptions options) throws IOException {
        this.rendezvous = rendezvous;
        boolean complete = false;
        try {
            Context context = rendezvous.context();
            context.provider().require(Capability.IMMEDIATE_DATA);
            int depth = options.depth();
            int receives = depth + CONTROL_WINDOW + 1;
            int sends = depth + CONTROL_SENDS;
            domain = keep(context.allocateProtectionDomain());
            // Memory before queues: it may be freed only once no queue names it any more.
            receiveMemory =
                    keep(
                            SlotMemory.allocate(
                                    domain,
                                    receives,
                                    options.slotBytes(),
                                    Set.of(AccessFlag.LOCAL_WRITE)));
            sendMemory = keep(SlotMemory.allocate(domain, depth, options.slotBytes(), Set.of()));
            channel = channel(context, options.pollMode());
            completionQueue = keep(context.createCompletionQueue(receives + sends, channel));
            int inline = inlineData(context, options.slotBytes());
            QueuePairInitialAttributes attributes =
                    QueuePairInitialAttributes.reliable(
                            completionQueue,
                            completionQueue,
                            new QueuePairCapacity(sends, receives, 1, 1, inline));
            queuePair = keep(rendezvous.createQueuePair(domain, attributes));
            int inlineThere = queuePair.capacity().maxInlineData();
            maxInlineData = Math.min(inlineThere, WANTED_INLINE_DATA);
            maxUnregisteredBytes = takesUnregistered(context) ? inlineThere : 0;
            postReceive = keep(queuePair.preparePostReceive(1, receives));
            SendShape dataShape = SendShape.of(SendOpcode.SEND_WITH_IMMEDIATE);
            postData = keep(queuePair.preparePostSend(dataShape, Math.min(MAX_CHAIN, depth)));
            SendShape controlShape = new SendShape(SendOpcode.SEND_WITH_IMMEDIATE, 0);
            postControl = keep(queuePair.preparePostSend(controlShape, 1));
            complete = true;
        } finally {
            if (!complete) {
                release();
            }
        }
    }

    /// Connects. On failure, everything is to be released by the caller.
    Link establish(int rnrRetryCount, Deadline deadline) throws IOException {
        Link established = rendezvous.establish(rnrRetryCount, deadline);
        link = established;
        return established;
    }

    /// Releases everything, newest first, and the link last. A rendezvous that made no link is left
    /// to whoever opens, who can still tell the peer why.
    ///
    /// @throws RuntimeException the first that came up, once all was tried
    void release() {
        RuntimeException failure = null;
        for (AutoCloseable each = opened.poll(); each != null; each = opened.poll()) {
            failure = close(each, failure);
        }
        Link established = link;
        if (established != null) {
            failure = close(established, failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static @Nullable RuntimeException close(
            AutoCloseable closeable, @Nullable RuntimeException earlier) {
        try {
            closeable.close();
            return earlier;
        } catch (Exception e) {
            RuntimeException failure =
                    e instanceof RuntimeException unchecked
                            ? unchecked
                            : new IllegalStateException(e);
            if (earlier != null) {
                earlier.addSuppressed(failure);
                return earlier;
            }
            return failure;
        }
    }

    private @Nullable CompletionChannel channel(Context context, PollMode mode)
            throws VerbsException {
        VerbsProvider provider = context.provider();
        if (mode == PollMode.EVENT) {
            provider.require(Capability.COMPLETION_CHANNEL);
        }
        if (mode == PollMode.BUSY
                || !provider.capabilities().contains(Capability.COMPLETION_CHANNEL)) {
            return null;
        }
        return keep(context.createCompletionChannel());
    }

    private static boolean takesUnregistered(Context context) {
        return context.provider().capabilities().contains(Capability.UNREGISTERED_INLINE_DATA);
    }

    /// How much inline data to ask for.
    private static int inlineData(Context context, int slotBytes) throws VerbsException {
        if (!context.provider().capabilities().contains(Capability.INLINE_DATA)) {
            return 0;
        }
        int most = context.queryDevice().maxInlineData();
        boolean saves = takesUnregistered(context) && most >= LONG_INLINE_DATA;
        return saves && slotBytes <= most ? slotBytes : Math.clamp(most, 0, WANTED_INLINE_DATA);
    }

    private <T extends AutoCloseable> T keep(T resource) {
        opened.push(resource);
        return resource;
    }

    private SlotMemory keep(SlotMemory memory) {
        opened.push(memory.region());
        return memory;
    }
}
