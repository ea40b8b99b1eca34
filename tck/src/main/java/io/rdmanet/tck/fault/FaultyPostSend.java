package io.rdmanet.tck.fault;

import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/// Prepared sends of a [FaultyProvider].
final class FaultyPostSend implements PostSend {
    private final FaultPlan plan;
    private final PostSend target;
    private final Tracked tracked;

    FaultyPostSend(FaultPlan plan, PostSend target, Tracked tracked) {
        this.plan = plan;
        this.target = target;
        this.tracked = tracked;
    }

    @Override
    public SendShape shape() {
        return target.shape();
    }

    @Override
    public int capacity() {
        return target.capacity();
    }

    @Override
    public PostSend request(int index) {
        target.request(index);
        return this;
    }

    @Override
    public PostSend workRequestId(long workRequestId) {
        target.workRequestId(workRequestId);
        return this;
    }

    @Override
    public PostSend flags(int flags) {
        target.flags(flags);
        return this;
    }

    @Override
    public PostSend scatterGather(int element, MemoryRegion region, long offset, int length) {
        target.scatterGather(element, FaultyMemoryRegion.unwrap(region), offset, length);
        return this;
    }

    @Override
    public PostSend inlineData(int element, MemorySegment data, long offset, int length)
            throws UnsupportedCapabilityException {
        target.inlineData(element, data, offset, length);
        return this;
    }

    @Override
    public PostSend remote(long address, int key) {
        target.remote(address, key);
        return this;
    }

    @Override
    public PostSend datagram(AddressHandle receiver, int queuePairNumber, int queueKey) {
        target.datagram(FaultyAddressHandle.unwrap(receiver), queuePairNumber, queueKey);
        return this;
    }

    @Override
    public PostSend immediate(int immediate) {
        target.immediate(immediate);
        return this;
    }

    @Override
    public PostSend compareAndSwap(long compare, long swap) {
        target.compareAndSwap(compare, swap);
        return this;
    }

    @Override
    public PostSend fetchAndAdd(long addend) {
        target.fetchAndAdd(addend);
        return this;
    }

    @Override
    public int execute(int first, int count) throws VerbsException {
        int admitted = plan.admitSends(count);
        return admitted == 0 && count > 0 ? 0 : target.execute(first, admitted);
    }

    @Override
    public void close() {
        target.close();
        tracked.closed();
    }
}
