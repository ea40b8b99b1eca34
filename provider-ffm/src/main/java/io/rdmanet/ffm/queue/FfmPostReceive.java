package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.ReceiveWorkRequestDescriptor;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.VerbsException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Prepared receives, for a queue pair or a shared receive queue.
final class FfmPostReceive implements PostReceive {
    private final FfmProtectionDomain domain;
    private final WorkQueue queue;
    private final RequestChain chain;
    private int cursor;

    /// Named last, and allowed here: mostly the next one, too.
    private @Nullable FfmMemoryRegion lastRegion;

    FfmPostReceive(
            FfmProtectionDomain domain, WorkQueue queue, int maxScatterGather, int capacity) {
        this.domain = domain;
        this.queue = queue;
        chain =
                new RequestChain(
                        queue.account(),
                        capacity,
                        maxScatterGather,
                        ReceiveWorkRequestDescriptor.SIZE,
                        0);
    }

    @Override
    public int maxScatterGather() {
        return chain.maxElements();
    }

    @Override
    public int capacity() {
        return chain.capacity();
    }

    @Override
    public PostReceive request(int index) {
        cursor = Objects.checkIndex(index, chain.capacity());
        return this;
    }

    @Override
    public PostReceive workRequestId(long workRequestId) {
        chain.identifiers()[cursor] = workRequestId;
        return this;
    }

    @Override
    public PostReceive scatterGather(int element, MemoryRegion region, long offset, int length) {
        chain.requireOpen();
        Objects.checkIndex(element, chain.maxElements());
        FfmMemoryRegion own = lastRegion;
        if (own != region) {
            own = requireAllowed(region);
            lastRegion = own;
        }
        own.requireInside(offset, length);
        chain.scatterGather(
                cursor, element, own.named(), own.address() + offset, length, own.localKey());
        return this;
    }

    private FfmMemoryRegion requireAllowed(MemoryRegion region) {
        FfmMemoryRegion own = FfmMemoryRegion.requireOf(domain, region);
        if (!own.allows(AccessFlag.LOCAL_WRITE.mask())) {
            throw new IllegalArgumentException(
                    "a receive writes to " + own + ", which has no LOCAL_WRITE");
        }
        return own;
    }

    @Override
    public int execute(int first, int count) throws VerbsException {
        chain.requireRun(queue.verb(), first, count);
        return queue.post(chain, first, count);
    }

    @Override
    public void close() {
        chain.close();
    }
}
