package io.rdmanet.loopback;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.util.concurrent.locks.ReentrantLock;

/// A shared receive queue: a pool of receives, from which the peers of several queue pairs take.
final class LoopbackSharedReceiveQueue implements SharedReceiveQueue, ReceivePoster {
    private final LoopbackProtectionDomain domain;
    private final int maxReceives;
    private final int maxScatterGather;
    private final ReceivePool pool;
    private final ChildCount children = new ChildCount();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean isOpen = true;

    static LoopbackSharedReceiveQueue create(
            LoopbackProtectionDomain domain, int maxReceives, int maxScatterGather)
            throws VerbsException {
        if (maxReceives < 1 || maxScatterGather < 1) {
            throw new IllegalArgumentException(
                    "create_srq: a queue of "
                            + maxReceives
                            + " receives with "
                            + maxScatterGather
                            + " elements; it has 1 or more of both");
        }
        if (maxReceives > LoopbackContext.MAX_WORK_REQUESTS
                || maxScatterGather > LoopbackContext.MAX_SCATTER_GATHER) {
            throw new VerbsException(
                    "create_srq",
                    ErrorNumber.EINVAL,
                    maxReceives
                            + " receives with "
                            + maxScatterGather
                            + " elements exceed the device's limits: "
                            + LoopbackContext.MAX_WORK_REQUESTS
                            + " requests, "
                            + LoopbackContext.MAX_SCATTER_GATHER
                            + " elements");
        }
        return new LoopbackSharedReceiveQueue(domain, maxReceives, maxScatterGather);
    }

    private LoopbackSharedReceiveQueue(
            LoopbackProtectionDomain domain, int maxReceives, int maxScatterGather)
            throws VerbsException {
        this.domain = domain;
        this.maxReceives = maxReceives;
        this.maxScatterGather = maxScatterGather;
        pool = ReceivePool.create(domain.context(), maxReceives, maxScatterGather);
        domain.context().add(this);
        domain.children().add();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return pool.number();
    }

    @Override
    public int maxReceives() {
        return maxReceives;
    }

    @Override
    public int maxScatterGather() {
        return maxScatterGather;
    }

    @Override
    public PostReceive preparePostReceive(int maxElements, int capacity) {
        if (capacity < 1 || maxElements < 0 || maxElements > maxScatterGather) {
            throw new IllegalArgumentException(
                    capacity
                            + " requests with "
                            + maxElements
                            + " elements; a prepared call holds 1 or more, and "
                            + this
                            + " has "
                            + maxScatterGather
                            + " elements per receive");
        }
        return new LoopbackPostReceive(domain, this, maxElements, capacity);
    }

    @Override
    public int postReceives(LoopbackPostReceive receive, int first, int count) {
        if (!isOpen) {
            throw new IllegalStateException("post_srq_recv on " + this + ", which is closed");
        }
        return pool.post(receive, first, count);
    }

    @Override
    public void arm(int limit) {
        if (limit < 0 || limit > maxReceives) {
            throw new IllegalArgumentException(
                    "modify_srq: a limit is 0 to " + maxReceives + ", not " + limit);
        }
        if (!isOpen) {
            throw new IllegalStateException("modify_srq: " + this + " is closed");
        }
        if (pool.hasReachedLimit()) { // the limit before, of which its taker was just to tell
            domain.context().raise(pool.limitEvent());
        }
        pool.arm(limit);
    }

    ReceivePool pool() {
        return pool;
    }

    ChildCount children() {
        return children;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (isOpen) {
                children.requireNone(this + " has open queue pairs");
                isOpen = false;
                pool.close();
                domain.context().remove(this);
                domain.children().remove();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "shared receive queue " + number();
    }
}
