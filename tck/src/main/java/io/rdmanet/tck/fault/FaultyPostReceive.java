package io.rdmanet.tck.fault;

import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.VerbsException;

/// Prepared receives of a [FaultyProvider].
final class FaultyPostReceive implements PostReceive {
    private final FaultPlan plan;
    private final PostReceive target;
    private final Tracked tracked;

    FaultyPostReceive(FaultPlan plan, PostReceive target, Tracked tracked) {
        this.plan = plan;
        this.target = target;
        this.tracked = tracked;
    }

    @Override
    public int maxScatterGather() {
        return target.maxScatterGather();
    }

    @Override
    public int capacity() {
        return target.capacity();
    }

    @Override
    public PostReceive request(int index) {
        target.request(index);
        return this;
    }

    @Override
    public PostReceive workRequestId(long workRequestId) {
        target.workRequestId(workRequestId);
        return this;
    }

    @Override
    public PostReceive scatterGather(int element, MemoryRegion region, long offset, int length) {
        target.scatterGather(element, FaultyMemoryRegion.unwrap(region), offset, length);
        return this;
    }

    @Override
    public int execute(int first, int count) throws VerbsException {
        plan.admitReceives();
        return target.execute(first, count);
    }

    @Override
    public void close() {
        target.close();
        tracked.closed();
    }
}
