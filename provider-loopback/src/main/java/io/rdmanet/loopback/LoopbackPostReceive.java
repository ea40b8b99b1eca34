package io.rdmanet.loopback;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.VerbsException;
import java.util.Objects;

/// Prepared receives in columns, one value per request (or per element of a request).
final class LoopbackPostReceive implements PostReceive {
    private final LoopbackProtectionDomain domain;
    private final ReceivePoster poster;
    private final int capacity;

    final int maxElements;
    final long[] workRequestIds;
    final LoopbackMemoryRegion[] regions;
    final long[] offsets;
    final int[] lengths;

    private int cursor;
    private long revision;
    private boolean isOpen = true;

    LoopbackPostReceive(
            LoopbackProtectionDomain domain, ReceivePoster poster, int maxElements, int capacity) {
        this.domain = domain;
        this.poster = poster;
        this.maxElements = maxElements;
        this.capacity = capacity;
        workRequestIds = new long[capacity];
        regions = new LoopbackMemoryRegion[capacity * maxElements];
        offsets = new long[capacity * maxElements];
        lengths = new int[capacity * maxElements];
    }

    @Override
    public int maxScatterGather() {
        return maxElements;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public PostReceive request(int index) {
        cursor = Objects.checkIndex(index, capacity);
        return this;
    }

    @Override
    public PostReceive workRequestId(long workRequestId) {
        workRequestIds[cursor] = workRequestId;
        revision++;
        return this;
    }

    @Override
    public PostReceive scatterGather(int element, MemoryRegion region, long offset, int length) {
        Objects.checkIndex(element, maxElements);
        LoopbackMemoryRegion own = domain.requireOwn(region);
        own.requireInside(offset, length);
        if (!own.allows(AccessFlag.LOCAL_WRITE.mask())) {
            throw new IllegalArgumentException(
                    "a receive writes to " + own + ", which has no LOCAL_WRITE");
        }
        int index = cursor * maxElements + element;
        regions[index] = own;
        offsets[index] = offset;
        lengths[index] = length;
        revision++;
        return this;
    }

    /// A number that changes whenever a request does.
    long revision() {
        return revision;
    }

    @Override
    public int execute(int first, int count) throws VerbsException {
        if (!isOpen) {
            throw new IllegalStateException("post_recv: the prepared call is closed");
        }
        Objects.checkFromIndexSize(first, count, capacity);
        if (count == 0) {
            throw new IllegalArgumentException("post_recv: a chain has 1 request or more, not 0");
        }
        return poster.postReceives(this, first, count);
    }

    @Override
    public void close() {
        isOpen = false;
    }
}
