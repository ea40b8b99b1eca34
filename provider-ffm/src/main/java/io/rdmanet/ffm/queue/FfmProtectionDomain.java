package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A protection domain of libibverbs.
final class FfmProtectionDomain implements ProtectionDomain {
    private final FfmContext context;
    private final long address;
    private final ChildCount children = new ChildCount("the protection domain");

    static FfmProtectionDomain allocate(FfmContext context) throws VerbsException {
        context.children().add("alloc_pd");
        long made = Libibverbs.ibv_alloc_pd(context.address());
        if (Result.isFailure(made)) {
            context.children().remove();
            throw new VerbsException("alloc_pd", Result.errorNumber(made), "on " + context);
        }
        return new FfmProtectionDomain(context, made);
    }

    private FfmProtectionDomain(FfmContext context, long address) {
        this.context = context;
        this.address = address;
    }

    @Override
    public FfmContext context() {
        return context;
    }

    /// The `struct ibv_pd *`.
    long address() {
        return address;
    }

    ChildCount children() {
        return children;
    }

    @Override
    public MemoryRegion register(MemorySegment segment, Set<AccessFlag> access)
            throws VerbsException {
        return FfmMemoryRegion.register(this, segment, access);
    }

    @Override
    public MemoryRegion allocate(long bytes, Set<AccessFlag> access) throws VerbsException {
        return FfmMemoryRegion.allocate(this, bytes, access);
    }

    @Override
    public QueuePair createQueuePair(QueuePairInitialAttributes attributes) throws VerbsException {
        return QueuePairCreation.create(this, attributes);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxScatterGather)
            throws VerbsException {
        return FfmSharedReceiveQueue.create(this, maxReceives, maxScatterGather);
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector way) throws VerbsException {
        return FfmAddressHandle.create(this, way);
    }

    @Override
    public void close() {
        if (children.close("queue pairs, memory regions or other objects")) {
            Destroying.require(
                    "dealloc_pd",
                    Libibverbs.ibv_dealloc_pd(address),
                    "a protection domain on " + context);
            context.children().remove();
        }
    }
}
