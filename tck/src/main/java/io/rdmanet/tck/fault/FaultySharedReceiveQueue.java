package io.rdmanet.tck.fault;

import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/// A shared receive queue of a [FaultyProvider]; faults of receives hit it, too.
final class FaultySharedReceiveQueue implements SharedReceiveQueue {
    private final FaultPlan plan;
    private final ProtectionDomain domain;
    private final SharedReceiveQueue target;
    private final Tracked tracked;

    FaultySharedReceiveQueue(
            FaultPlan plan, ProtectionDomain domain, SharedReceiveQueue target, Tracked tracked) {
        this.plan = plan;
        this.domain = domain;
        this.target = target;
        this.tracked = tracked;
    }

    /// The wrapped provider's queue.
    static @Nullable SharedReceiveQueue unwrap(@Nullable SharedReceiveQueue queue) {
        return queue instanceof FaultySharedReceiveQueue faulty ? faulty.target : queue;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return target.number();
    }

    @Override
    public int maxReceives() {
        return target.maxReceives();
    }

    @Override
    public int maxScatterGather() {
        return target.maxScatterGather();
    }

    @Override
    public PostReceive preparePostReceive(int maxScatterGather, int capacity)
            throws VerbsException {
        return Tracked.create(
                plan,
                Resource.POST_RECEIVE,
                () -> target.preparePostReceive(maxScatterGather, capacity),
                (receive, made) -> new FaultyPostReceive(plan, receive, made));
    }

    @Override
    public void arm(int limit) throws VerbsException {
        target.arm(limit);
    }

    @Override
    public void close() {
        target.close();
        tracked.closed();
    }
}
