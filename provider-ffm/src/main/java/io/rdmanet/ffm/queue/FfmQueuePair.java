package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.QueuePairAttributesDescriptor;
import io.rdmanet.ffm.c.QueuePairDescriptor;
import io.rdmanet.ffm.c.QueuePairInitialDescriptor;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairTransition;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A queue pair of libibverbs.
///
/// Its state is in the native struct, where `ibv_modify_qp` keeps it, librdmacm's calls of it
/// included. That is what posting looks at; [#state()] asks the device, which a fault may have put
/// into the error state without anybody's doing.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | isOpen | whoever closes, under `control` | volatile | volatile | none: what must not be closed meanwhile is under `control` or guarded |
/// | hasSeenError | polling thread and control, under `control` | volatile | volatile | none: seen late, it is looked into once more |
final class FfmQueuePair implements QueuePair, WorkQueue.Owner {
    private final FfmProtectionDomain domain;
    private final FfmContext context;
    private final QueuePairInitialAttributes initial;
    private final FfmCompletionQueue sendCompletions;
    private final FfmCompletionQueue receiveCompletions;
    private final @Nullable FfmSharedReceiveQueue shared;
    private final long address;
    private final int number;
    private final QueuePairCapacity capacity;
    private final WorkQueue sends;
    private final WorkQueue receives;
    private final ReentrantLock control = new ReentrantLock();
    private volatile boolean isOpen = true;

    /// Whether a failed completion has been looked into.
    private volatile boolean hasSeenError;

    /// Takes a native queue pair over; see [QueuePairCreation].
    FfmQueuePair(
            FfmProtectionDomain domain,
            QueuePairInitialAttributes initial,
            FfmCompletionQueue sendCompletions,
            FfmCompletionQueue receiveCompletions,
            @Nullable FfmSharedReceiveQueue shared,
            long address,
            QueuePairCapacity capacity) {
        this.domain = domain;
        this.context = domain.context();
        this.initial = initial;
        this.sendCompletions = sendCompletions;
        this.receiveCompletions = receiveCompletions;
        this.shared = shared;
        this.address = address;
        this.capacity = capacity;
        number = NativeMemory.intAt(address + QueuePairDescriptor.NUMBER);
        DeviceOperations operations = context.operations();
        sends =
                WorkQueue.ofSends(
                        operations.postSend(),
                        address,
                        this,
                        new OrderedAccount(this, capacity.maxSends()));
        receives =
                WorkQueue.ofReceives(
                        operations.postReceive(),
                        address,
                        this,
                        new OrderedAccount(this, shared == null ? capacity.maxReceives() : 0));
    }

    /// Makes its completions findable.
    void register() throws VerbsException {
        context.accounts().add(sends.account());
        try {
            context.accounts().add(receives.account());
        } catch (VerbsException e) {
            context.accounts().remove(sends.account());
            throw e;
        }
        context.events().add(address, number);
    }

    @Override
    public FfmProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairType type() {
        return initial.type();
    }

    @Override
    public CompletionQueue sendCompletionQueue() {
        return sendCompletions;
    }

    @Override
    public CompletionQueue receiveCompletionQueue() {
        return receiveCompletions;
    }

    @Override
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return shared;
    }

    @Override
    public QueuePairCapacity capacity() {
        return capacity;
    }

    // ---- control

    @Override
    public QueuePairState state() {
        control.lock();
        try {
            requireOpen("query_qp");
            return queryState();
        } catch (VerbsException e) {
            return QueuePairState.ERROR; // the device has gone, or as good as that
        } finally {
            control.unlock();
        }
    }

    /// Asks the device. The caller sees to it that the queue pair is not destroyed meanwhile.
    @Override
    public QueuePairState queryState() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            long attributes = query(arena, QueuePairAttributesDescriptor.MASK_STATE);
            return QueuePairState.ofCode(
                    NativeMemory.intAt(attributes + QueuePairAttributesDescriptor.STATE));
        }
    }

    @Override
    public QueuePairAttributes query() throws VerbsException {
        control.lock();
        try (Arena arena = Arena.ofConfined()) {
            requireOpen("query_qp");
            return AttributesEncoding.read(
                    query(arena, AttributesEncoding.queryMask(type())), type());
        } finally {
            control.unlock();
        }
    }

    private long query(Arena arena, int mask) throws VerbsException {
        long attributes = arena.allocate(QueuePairAttributesDescriptor.SIZE, Long.BYTES).address();
        long initialAttributes =
                arena.allocate(QueuePairInitialDescriptor.SIZE, Long.BYTES).address();
        int errno = Libibverbs.ibv_query_qp(address, attributes, mask, initialAttributes);
        if (errno != 0) {
            throw new VerbsException("query_qp", errno, toString());
        }
        return attributes;
    }

    @Override
    public void modify(QueuePairAttributes change) throws VerbsException {
        control.lock();
        try (Arena arena = Arena.ofConfined()) {
            requireOpen("modify_qp");
            QueuePairState from = queryState();
            QueuePairTransition.check(type(), from, change);
            long attributes =
                    arena.allocate(QueuePairAttributesDescriptor.SIZE, Long.BYTES).address();
            int mask = AttributesEncoding.write(change, attributes);
            int errno = Libibverbs.ibv_modify_qp(address, attributes, mask);
            if (errno != 0) {
                throw new VerbsException(
                        "modify_qp", Math.abs(errno), this + " from " + from + " with " + change);
            }
            if (change.has(Attribute.STATE) && change.state() == QueuePairState.RESET) {
                beginAgain();
            }
        } finally {
            control.unlock();
        }
    }

    /// After a reset nothing is outstanding, and completions that were not polled are nobody's.
    private void beginAgain() throws VerbsException {
        hasSeenError = false;
        renew(sends, capacity.maxSends());
        renew(receives, shared == null ? capacity.maxReceives() : 0);
    }

    private void renew(WorkQueue queue, int maxRequests) throws VerbsException {
        WorkQueueAccount fresh = new OrderedAccount(this, maxRequests);
        context.accounts().remove(queue.account());
        context.accounts().add(fresh);
        queue.account(fresh);
    }

    // ---- work

    @Override
    public PostSend preparePostSend(SendShape shape, int count) throws VerbsException {
        requireOpen("preparing sends");
        RequestChain.requireCapacity(count);
        if (shape.maxScatterGather() > capacity.maxSendScatterGather()) {
            throw new IllegalArgumentException(
                    "the queue pair has "
                            + capacity.maxSendScatterGather()
                            + " elements per send, not "
                            + shape.maxScatterGather());
        }
        requireFits(shape.opcode());
        if (shape.opcode().isAtomic()) {
            context.requireAtomics();
        }
        boolean isDatagram = type() == QueuePairType.UNRELIABLE_DATAGRAM;
        return new FfmPostSend(domain, sends, shape, count, isDatagram, capacity.maxInlineData());
    }

    private void requireFits(SendOpcode opcode) {
        boolean fits =
                switch (type()) {
                    case RELIABLE_CONNECTION -> true;
                    case UNRELIABLE_CONNECTION ->
                            opcode != SendOpcode.RDMA_READ && !opcode.isAtomic();
                    case UNRELIABLE_DATAGRAM -> !opcode.isOneSided();
                };
        if (!fits) {
            throw new IllegalArgumentException(
                    "a queue pair of type " + type() + " has no " + opcode);
        }
    }

    @Override
    public PostReceive preparePostReceive(int maxScatterGather, int count) {
        requireOpen("preparing receives");
        if (shared != null) {
            throw new IllegalStateException(
                    this + " takes its receives from " + shared + "; prepare them there");
        }
        RequestChain.requireCapacity(count);
        if (maxScatterGather < 0 || maxScatterGather > capacity.maxReceiveScatterGather()) {
            throw new IllegalArgumentException(
                    "the queue pair has "
                            + capacity.maxReceiveScatterGather()
                            + " elements per receive, not "
                            + maxScatterGather);
        }
        return new FfmPostReceive(domain, receives, maxScatterGather, count);
    }

    // ---- flushing

    /// Goes to ERROR once more. Soft-RoCE flushes receives when a queue pair goes there, but does
    /// not learn of those that are posted later; to other devices this means nothing.
    @Override
    public void flush() {
        try (Arena arena = Arena.ofConfined()) {
            long attributes =
                    arena.allocate(QueuePairAttributesDescriptor.SIZE, Long.BYTES).address();
            int mask =
                    AttributesEncoding.write(
                            QueuePairAttributes.to(QueuePairState.ERROR), attributes);
            Libibverbs.ibv_modify_qp(address, attributes, mask);
        }
    }

    /// Finds out whether a fault has put the queue pair into ERROR, and has everything flushed that
    /// was posted since. Never waits.
    @Override
    public void onFailedCompletion() {
        if (hasSeenError || !control.tryLock()) {
            return; // looked into already, or with the next failed completion
        }
        try {
            if (isOpen && queryState() == QueuePairState.ERROR) {
                hasSeenError = true;
                flush();
            }
        } catch (VerbsException e) {
            hasSeenError = true; // the device has gone: nothing will be flushed
        } finally {
            control.unlock();
        }
    }

    // ---- end

    @Override
    public void close() {
        control.lock();
        try {
            if (!isOpen) {
                return;
            }
            if (!ExecutionGuard.tryCloseBoth(sends.guard(), receives.guard())) {
                throw Destroying.inUse("destroy_qp", toString());
            }
            isOpen = false;
            Destroying.require("destroy_qp", destroy(), toString());
            context.accounts().remove(sends.account());
            context.accounts().remove(receives.account());
            context.events().remove(address);
            sendCompletions.children().remove();
            receiveCompletions.children().remove();
            if (shared != null) {
                shared.children().remove();
            }
            domain.children().remove();
        } finally {
            control.unlock();
        }
    }

    private int destroy() {
        if (shared == null) {
            return Libibverbs.ibv_destroy_qp(address);
        }
        flush(); // first of all it goes to ERROR
        int errno = receiveCompletions.polled().destroySharing(address, number, shared.account());
        if (errno == PolledQueue.IS_POLLED) {
            isOpen = true;
            sends.guard().resume();
            receives.guard().resume();
            throw Destroying.inUse("destroy_qp", "the completion queue of " + this);
        }
        return errno;
    }

    private void requireOpen(String verb) {
        if (!isOpen) {
            throw new IllegalStateException(verb + ": " + this + " is closed");
        }
    }

    @Override
    public String toString() {
        return "queue pair 0x" + Integer.toHexString(number) + " of " + context;
    }
}
