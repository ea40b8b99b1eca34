package io.rdmanet.internal.raw;

import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/// Prepared sends that tell a probe how long posting them took.
final class TimedPostSend implements PostSend {
    private final PostSend send;
    private final RawProbe probe;

    TimedPostSend(PostSend send, RawProbe probe) {
        this.send = send;
        this.probe = probe;
    }

    @Override
    public int execute(int first, int count) throws VerbsException {
        long start = System.nanoTime();
        int accepted = send.execute(first, count);
        probe.posted(accepted, start);
        return accepted;
    }

    @Override
    public SendShape shape() {
        return send.shape();
    }

    @Override
    public int capacity() {
        return send.capacity();
    }

    @Override
    public PostSend request(int index) {
        send.request(index);
        return this;
    }

    @Override
    public PostSend workRequestId(long workRequestId) {
        send.workRequestId(workRequestId);
        return this;
    }

    @Override
    public PostSend flags(int flags) {
        send.flags(flags);
        return this;
    }

    @Override
    public PostSend scatterGather(int element, MemoryRegion region, long offset, int length) {
        send.scatterGather(element, region, offset, length);
        return this;
    }

    @Override
    public PostSend inlineData(int element, MemorySegment data, long offset, int length)
            throws UnsupportedCapabilityException {
        send.inlineData(element, data, offset, length);
        return this;
    }

    @Override
    public PostSend remote(long address, int key) {
        send.remote(address, key);
        return this;
    }

    @Override
    public PostSend datagram(AddressHandle receiver, int queuePairNumber, int queueKey) {
        send.datagram(receiver, queuePairNumber, queueKey);
        return this;
    }

    @Override
    public PostSend immediate(int immediate) {
        send.immediate(immediate);
        return this;
    }

    @Override
    public PostSend compareAndSwap(long compare, long swap) {
        send.compareAndSwap(compare, swap);
        return this;
    }

    @Override
    public PostSend fetchAndAdd(long addend) {
        send.fetchAndAdd(addend);
        return this;
    }

    @Override
    public void close() {
        send.close();
    }
}
