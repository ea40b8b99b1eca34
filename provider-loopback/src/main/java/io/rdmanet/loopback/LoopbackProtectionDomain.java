package io.rdmanet.loopback;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/// A protection domain: a number that queue pairs and regions must share.
final class LoopbackProtectionDomain implements ProtectionDomain {
    private final LoopbackContext context;
    private final int number;
    private final ChildCount children = new ChildCount();
    private final AtomicBoolean isOpen = new AtomicBoolean(true);

    LoopbackProtectionDomain(LoopbackContext context, int number) {
        this.context = context;
        this.number = number;
        context.children().add();
    }

    @Override
    public LoopbackContext context() {
        return context;
    }

    int number() {
        return number;
    }

    ChildCount children() {
        return children;
    }

    @Override
    public MemoryRegion register(MemorySegment segment, Set<AccessFlag> access)
            throws VerbsException {
        requireOpen("reg_mr");
        return LoopbackMemoryRegion.register(this, segment, access);
    }

    @Override
    public MemoryRegion allocate(long bytes, Set<AccessFlag> access) throws VerbsException {
        requireOpen("reg_mr");
        return LoopbackMemoryRegion.allocate(this, bytes, access);
    }

    @Override
    public QueuePair createQueuePair(QueuePairInitialAttributes attributes) throws VerbsException {
        requireOpen("create_qp");
        if (attributes.type() == QueuePairType.UNRELIABLE_CONNECTION) {
            context.provider().require(Capability.UNRELIABLE_CONNECTION);
        }
        return LoopbackQueuePair.create(this, attributes);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxScatterGather)
            throws VerbsException {
        requireOpen("create_srq");
        return LoopbackSharedReceiveQueue.create(this, maxReceives, maxScatterGather);
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector address) throws VerbsException {
        requireOpen("create_ah");
        return LoopbackAddressHandle.create(this, address);
    }

    @Override
    public void close() {
        if (isOpen.get()) {
            children.requireNone("the protection domain has open objects");
            if (isOpen.compareAndSet(true, false)) {
                context.children().remove();
            }
        }
    }

    /// Throws unless a region is one of this domain.
    LoopbackMemoryRegion requireOwn(MemoryRegion region) {
        if (!(region instanceof LoopbackMemoryRegion own) || own.protectionDomain() != this) {
            throw new IllegalArgumentException(
                    "the memory region belongs to another protection domain than the queue pair");
        }
        return own;
    }

    private void requireOpen(String verb) {
        if (!isOpen.get()) {
            throw new IllegalStateException(verb + ": the protection domain is closed");
        }
    }
}
