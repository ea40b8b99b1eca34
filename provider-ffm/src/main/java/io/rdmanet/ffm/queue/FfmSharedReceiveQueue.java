package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.ffm.c.SharedReceiveQueueDescriptor;
import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;

/// A shared receive queue of libibverbs.
final class FfmSharedReceiveQueue implements SharedReceiveQueue, WorkQueue.Owner {
    private final FfmProtectionDomain domain;
    private final long address;
    private final int number;
    private final int maxReceives;
    private final int maxScatterGather;
    private final WorkQueue receives;
    private final ChildCount children;

    static FfmSharedReceiveQueue create(
            FfmProtectionDomain domain, int maxReceives, int maxScatterGather)
            throws VerbsException {
        if (maxReceives < 1 || maxScatterGather < 1) {
            throw new IllegalArgumentException(
                    "create_srq: a shared receive queue has 1 receive and 1 element or more, not "
                            + maxReceives
                            + " and "
                            + maxScatterGather);
        }
        domain.children().add("create_srq");
        boolean isMade = false;
        try (Arena arena = Arena.ofConfined()) {
            long attributes =
                    arena.allocate(SharedReceiveQueueDescriptor.SIZE, Long.BYTES).address();
            NativeMemory.setInt(
                    attributes + SharedReceiveQueueDescriptor.MAX_RECEIVES, maxReceives);
            NativeMemory.setInt(
                    attributes + SharedReceiveQueueDescriptor.MAX_SCATTER_GATHER, maxScatterGather);
            long made = Libibverbs.ibv_create_srq(domain.address(), attributes);
            if (Result.isFailure(made)) {
                throw refused(domain, maxReceives, maxScatterGather, Result.errorNumber(made));
            }
            FfmSharedReceiveQueue queue =
                    open(
                            domain,
                            made,
                            NativeMemory.intAt(
                                    attributes + SharedReceiveQueueDescriptor.MAX_RECEIVES),
                            NativeMemory.intAt(
                                    attributes + SharedReceiveQueueDescriptor.MAX_SCATTER_GATHER));
            isMade = true;
            return queue;
        } finally {
            if (!isMade) {
                domain.children().remove();
            }
        }
    }

    private static VerbsException refused(
            FfmProtectionDomain domain, int maxReceives, int maxScatterGather, int errno) {
        return new VerbsException(
                "create_srq",
                errno,
                maxReceives
                        + " receives of "
                        + maxScatterGather
                        + " elements on "
                        + domain.context()
                        + (errno == ErrorNumber.ENOMEM
                                ? "; " + LockedMemory.hint()
                                : "; the device's limits may be less"));
    }

    private static FfmSharedReceiveQueue open(
            FfmProtectionDomain domain, long made, int maxReceives, int maxScatterGather)
            throws VerbsException {
        FfmSharedReceiveQueue queue =
                new FfmSharedReceiveQueue(domain, made, maxReceives, maxScatterGather);
        try {
            domain.context().accounts().add(queue.receives.account());
        } catch (VerbsException e) {
            Libibverbs.ibv_destroy_srq(made);
            throw e;
        }
        domain.context().events().add(made, queue.number);
        return queue;
    }

    private FfmSharedReceiveQueue(
            FfmProtectionDomain domain, long address, int maxReceives, int maxScatterGather) {
        this.domain = domain;
        this.address = address;
        this.maxReceives = maxReceives;
        this.maxScatterGather = maxScatterGather;
        number = domain.context().newSharedReceiveQueueNumber();
        children = new ChildCount(toString());
        receives =
                WorkQueue.ofShared(
                        domain.context().operations().postSharedReceive(),
                        address,
                        this,
                        new SlotAccount(this, maxReceives, maxScatterGather));
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
    public int maxReceives() {
        return maxReceives;
    }

    @Override
    public int maxScatterGather() {
        return maxScatterGather;
    }

    /// The `struct ibv_srq *`.
    long address() {
        return address;
    }

    WorkQueueAccount account() {
        return receives.account();
    }

    ChildCount children() {
        return children;
    }

    @Override
    public PostReceive preparePostReceive(int elements, int capacity) {
        children.add("preparing receives");
        try {
            if (elements < 0 || elements > maxScatterGather) {
                throw new IllegalArgumentException(
                        this
                                + " has "
                                + maxScatterGather
                                + " elements per receive, not "
                                + elements);
            }
            RequestChain.requireCapacity(capacity);
            return new FfmPostReceive(domain, receives, elements, capacity);
        } finally {
            children.remove();
        }
    }

    @Override
    public void arm(int limit) throws VerbsException {
        if (limit < 0 || limit > maxReceives) {
            throw new IllegalArgumentException(
                    "modify_srq: the limit of "
                            + this
                            + " is 0 to "
                            + maxReceives
                            + ", not "
                            + limit);
        }
        children.add("modify_srq");
        try (Arena arena = Arena.ofConfined()) {
            long descriptor =
                    arena.allocate(SharedReceiveQueueDescriptor.SIZE, Long.BYTES).address();
            NativeMemory.setInt(descriptor + SharedReceiveQueueDescriptor.LIMIT, limit);
            int errno =
                    Libibverbs.ibv_modify_srq(
                            address,
                            descriptor + SharedReceiveQueueDescriptor.ATTRIBUTES,
                            SharedReceiveQueueDescriptor.MASK_LIMIT);
            if (errno != 0) {
                throw new VerbsException("modify_srq", errno, "limit " + limit + " of " + this);
            }
        } finally {
            children.remove();
        }
    }

    @Override
    public QueuePairState queryState() {
        return QueuePairState.READY_TO_RECEIVE; // it has none of its own
    }

    @Override
    public void flush() {
        throw new AssertionError("a shared receive queue has no state");
    }

    @Override
    public void onFailedCompletion() {
        // It is the queue pair that has failed.
    }

    @Override
    public void close() {
        if (!children.close("queue pairs")) {
            return;
        }
        if (!receives.guard().tryClose()) {
            children.reopen();
            throw Destroying.inUse("destroy_srq", toString());
        }
        Destroying.require("destroy_srq", Libibverbs.ibv_destroy_srq(address), toString());
        domain.context().accounts().remove(receives.account());
        domain.context().events().remove(address);
        domain.children().remove();
    }

    @Override
    public String toString() {
        return "shared receive queue " + number + " of " + domain.context();
    }
}
