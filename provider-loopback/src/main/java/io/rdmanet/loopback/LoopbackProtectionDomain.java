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
import io.rdmanet.verbs.UnsupportedCapabilityException;
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
        if (attributes.type() != QueuePairType.RELIABLE_CONNECTION) {
            throw new UnsupportedCapabilityException(
                    context.provider().name(),
                    Capability.UNRELIABLE_DATAGRAM,
                    context.provider().alternativeTo(Capability.UNRELIABLE_DATAGRAM));
        }
        if (attributes.sharedReceiveQueue() != null) {
            context.provider().require(Capability.SHARED_RECEIVE_QUEUE);
        }
        return LoopbackQueuePair.create(this, attributes);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxScatterGather)
            throws VerbsException {
        throw new UnsupportedCapabilityException(
                context.provider().name(),
                Capability.SHARED_RECEIVE_QUEUE,
                context.provider().alternativeTo(Capability.SHARED_RECEIVE_QUEUE));
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector address) throws VerbsException {
        throw new UnsupportedCapabilityException(
                context.provider().name(),
                Capability.UNRELIABLE_DATAGRAM,
                context.provider().alternativeTo(Capability.UNRELIABLE_DATAGRAM));
    }

    @Override
    public void close() {
        if (isOpen.get()) {
            children.requireNone("the protection domain has open queue pairs or memory regions");
            if (isOpen.compareAndSet(true, false)) {
                context.children().remove();
            }
        }
    }

    private void requireOpen(String verb) {
        if (!isOpen.get()) {
            throw new IllegalStateException(verb + ": the protection domain is closed");
        }
    }
}
