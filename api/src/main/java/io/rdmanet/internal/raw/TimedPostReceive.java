package io.rdmanet.internal.raw;

import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.VerbsException;

/// Prepared receives that tell a probe how long posting them took.
final class TimedPostReceive implements PostReceive {
    private final PostReceive receive;
    private final RawProbe probe;

    TimedPostReceive(PostReceive receive, RawProbe probe) {
        this.receive = receive;
        this.probe = probe;
    }

    @Override
    public int execute(int first, int count) throws VerbsException {
        long start = System.nanoTime();
        int accepted = receive.execute(first, count);
        probe.posted(accepted, start);
        return accepted;
    }

    @Override
    public int maxScatterGather() {
        return receive.maxScatterGather();
    }

    @Override
    public int capacity() {
        return receive.capacity();
    }

    @Override
    public PostReceive request(int index) {
        receive.request(index);
        return this;
    }

    @Override
    public PostReceive workRequestId(long workRequestId) {
        receive.workRequestId(workRequestId);
        return this;
    }

    @Override
    public PostReceive scatterGather(int element, MemoryRegion region, long offset, int length) {
        receive.scatterGather(element, region, offset, length);
        return this;
    }

    @Override
    public void close() {
        receive.close();
    }
}
