package io.rdmanet.disni;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.lang.foreign.MemorySegment;

/// Prepared sends.
final class DisniPostSend implements PostSend {
    private final VerbsProvider provider;
    private final WorkQueue queue;
    private final SendShape shape;
    private final int maxInlineData;
    private final WorkRequests requests;
    private final SendChains chains;
    private boolean needsFitting;

    /// @param chains of the same requests
    DisniPostSend(
            VerbsProvider provider,
            WorkQueue queue,
            SendShape shape,
            int maxInlineData,
            WorkRequests requests,
            SendChains chains) {
        this.provider = provider;
        this.queue = queue;
        this.shape = shape;
        this.maxInlineData = maxInlineData;
        this.requests = requests;
        this.chains = chains;
        needsFitting = shape.maxScatterGather() > 1;
    }

    @Override
    public SendShape shape() {
        return shape;
    }

    @Override
    public int capacity() {
        return requests.capacity();
    }

    @Override
    public PostSend request(int index) {
        requests.moveTo(index);
        return this;
    }

    @Override
    public PostSend workRequestId(long workRequestId) {
        requests.identifier(workRequestId);
        return this;
    }

    @Override
    public PostSend flags(int flags) {
        requests.requireOpen();
        if ((flags & ~SendFlags.ALL) != 0) {
            throw new IllegalArgumentException(
                    "unknown send flags: 0x" + Integer.toHexString(flags));
        }
        boolean isInline = (flags & SendFlags.INLINE) != 0;
        if (isInline && shape.opcode() == SendOpcode.RDMA_READ) {
            throw new IllegalArgumentException(shape.opcode() + " cannot be inline");
        }
        needsFitting |= isInline;
        chains.flags(flags);
        return this;
    }

    @Override
    public PostSend scatterGather(int element, MemoryRegion region, long offset, int length) {
        DisniMemoryRegion own = requests.element(element, region, offset, length);
        if (shape.opcode() == SendOpcode.RDMA_READ
                && !own.access().contains(AccessFlag.LOCAL_WRITE)) {
            throw new IllegalArgumentException(
                    shape.opcode() + " writes to " + own + ", which has no LOCAL_WRITE");
        }
        return this;
    }

    @Override
    public PostSend inlineData(int element, MemorySegment data, long offset, int length)
            throws UnsupportedCapabilityException {
        provider.require(Capability.UNREGISTERED_INLINE_DATA);
        return this;
    }

    @Override
    public PostSend remote(long address, int key) {
        requests.requireOpen();
        if (shape.opcode().isOneSided()) {
            chains.remote(address, key);
        }
        return this;
    }

    @Override
    public PostSend datagram(AddressHandle receiver, int queuePairNumber, int queueKey) {
        throw new IllegalStateException(
                "post_send: the queue pair sends no datagrams; it is connected to one peer");
    }

    /// DiSNI cannot change it in place: each number is prepared and kept ([SendChains]).
    @Override
    public PostSend immediate(int immediate) {
        requests.requireOpen();
        if (shape.opcode().hasImmediate()) {
            chains.immediate(immediate);
        }
        return this;
    }

    @Override
    public PostSend compareAndSwap(long compare, long swap) {
        requests.requireOpen();
        return this; // of no meaning to the opcodes there are
    }

    @Override
    public PostSend fetchAndAdd(long addend) {
        requests.requireOpen();
        return this; // of no meaning to the opcodes there are
    }

    @Override
    public int execute(int first, int count) throws VerbsException {
        requests.requireRun(queue.verb(), first, count);
        if (needsFitting) {
            requireFits(first, count);
        }
        return queue.post(requests, first, count, chains);
    }

    private void requireFits(int first, int count) {
        for (int i = first; i < first + count; i++) {
            boolean isInline = (chains.flagsOf(i) & SendFlags.INLINE) != 0;
            long limit = isInline ? maxInlineData : Integer.MAX_VALUE;
            long total = requests.totalLength(i);
            if (total > limit) {
                throw new IllegalArgumentException(
                        "request "
                                + i
                                + " has "
                                + total
                                + (isInline ? " bytes of inline data" : " bytes")
                                + "; the most is "
                                + limit);
            }
        }
    }

    @Override
    public void close() {
        queue.close(requests, chains);
    }
}
