package io.rdmanet.tck.fault;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A protection domain of a [FaultyProvider].
final class FaultyProtectionDomain implements ProtectionDomain {
    private final FaultyContext context;
    private final ProtectionDomain target;
    private final Tracked tracked;

    FaultyProtectionDomain(FaultyContext context, ProtectionDomain target, Tracked tracked) {
        this.context = context;
        this.target = target;
        this.tracked = tracked;
    }

    ProtectionDomain target() {
        return target;
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public MemoryRegion register(MemorySegment segment, Set<AccessFlag> access)
            throws VerbsException {
        return track(() -> target.register(segment, access));
    }

    @Override
    public MemoryRegion allocate(long bytes, Set<AccessFlag> access) throws VerbsException {
        return track(() -> target.allocate(bytes, access));
    }

    private MemoryRegion track(Tracked.Creation<MemoryRegion> creation) throws VerbsException {
        return Tracked.create(
                context.plan(),
                Resource.MEMORY_REGION,
                creation,
                (region, made) -> new FaultyMemoryRegion(this, region, made));
    }

    @Override
    public QueuePair createQueuePair(QueuePairInitialAttributes attributes) throws VerbsException {
        return createQueuePair(attributes, () -> target.createQueuePair(unwrap(attributes)));
    }

    /// Creates a queue pair of this domain in some way.
    QueuePair createQueuePair(
            QueuePairInitialAttributes attributes, Tracked.Creation<QueuePair> creation)
            throws VerbsException {
        return Tracked.create(
                context.plan(),
                Resource.QUEUE_PAIR,
                creation,
                (queuePair, made) ->
                        new FaultyQueuePair(context, this, attributes, queuePair, made));
    }

    /// The same attributes in the words of the wrapped provider.
    static QueuePairInitialAttributes unwrap(QueuePairInitialAttributes attributes) {
        return new QueuePairInitialAttributes(
                attributes.type(),
                unwrap(attributes.sendCompletionQueue()),
                unwrap(attributes.receiveCompletionQueue()),
                FaultySharedReceiveQueue.unwrap(attributes.sharedReceiveQueue()),
                attributes.capacity(),
                attributes.signalsAll());
    }

    private static CompletionQueue unwrap(CompletionQueue queue) {
        return queue instanceof FaultyCompletionQueue faulty ? faulty.target() : queue;
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxScatterGather)
            throws VerbsException {
        return Tracked.create(
                context.plan(),
                Resource.SHARED_RECEIVE_QUEUE,
                () -> target.createSharedReceiveQueue(maxReceives, maxScatterGather),
                (queue, made) -> new FaultySharedReceiveQueue(context.plan(), this, queue, made));
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector address) throws VerbsException {
        return Tracked.create(
                context.plan(),
                Resource.ADDRESS_HANDLE,
                () -> target.createAddressHandle(address),
                (handle, made) -> new FaultyAddressHandle(this, handle, made));
    }

    @Override
    public void close() {
        target.close();
        tracked.closed();
    }
}
