package io.rdmanet.disni;

import com.ibm.disni.verbs.IbvPd;
import io.rdmanet.internal.provider.ChildCount;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/// A protection domain that DiSNI allocated.
final class DisniProtectionDomain implements ProtectionDomain {
    private final DisniContext context;
    private final IbvPd domain;
    private final ChildCount children = new ChildCount("the protection domain");

    /// Of its queue pairs: what is outstanding there keeps regions from closing.
    private final CopyOnWriteArrayList<WorkAccount> accounts = new CopyOnWriteArrayList<>();

    static DisniProtectionDomain allocate(DisniContext context) throws VerbsException {
        context.children().add("alloc_pd");
        boolean isMade = false;
        try {
            IbvPd made = context.disni().verbs().allocPd(context.device());
            if (made == null) {
                throw new VerbsException("alloc_pd", "DiSNI gave none on " + context);
            }
            isMade = true;
            return new DisniProtectionDomain(context, made);
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw DisniFailure.of("alloc_pd", e, "on " + context);
        } finally {
            if (!isMade) {
                context.children().remove();
            }
        }
    }

    private DisniProtectionDomain(DisniContext context, IbvPd domain) {
        this.context = context;
        this.domain = domain;
    }

    @Override
    public DisniContext context() {
        return context;
    }

    IbvPd domain() {
        return domain;
    }

    ChildCount children() {
        return children;
    }

    @Override
    public MemoryRegion register(MemorySegment segment, Set<AccessFlag> access)
            throws VerbsException {
        return DisniMemoryRegion.register(this, segment, access);
    }

    @Override
    public MemoryRegion allocate(long bytes, Set<AccessFlag> access) throws VerbsException {
        return DisniMemoryRegion.allocate(this, bytes, access);
    }

    /// Queue pairs of DiSNI belong to a connection: see
    /// [DisniConnectionIdentifier#createQueuePair].
    @Override
    public QueuePair createQueuePair(QueuePairInitialAttributes attributes) throws VerbsException {
        DisniQueuePair.requireSupported(context.provider(), attributes);
        context.provider().require(Capability.QUEUE_PAIR_MODIFY);
        throw new AssertionError("the provider has no such capability");
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(int maxReceives, int maxScatterGather)
            throws UnsupportedCapabilityException {
        context.provider().require(Capability.SHARED_RECEIVE_QUEUE);
        throw new AssertionError("the provider has no such capability");
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector address)
            throws UnsupportedCapabilityException {
        context.provider().require(Capability.UNRELIABLE_DATAGRAM);
        throw new AssertionError("the provider has no such capability");
    }

    void add(WorkAccount account) {
        accounts.add(account);
    }

    void remove(WorkAccount account) {
        accounts.remove(account);
    }

    /// Whether a posted request that names a region has not completed.
    boolean isOutstanding(DisniMemoryRegion region) {
        for (WorkAccount account : accounts) {
            if (account.isOutstanding(region)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        if (children.close("queue pairs or memory regions")) {
            try {
                Destroying.require(
                        "dealloc_pd",
                        context.disni().verbs().deallocPd(domain),
                        "a protection domain on " + context);
            } catch (IOException e) {
                Destroying.require(
                        "dealloc_pd", DisniFailure.errno(e), "a protection domain on " + context);
            }
            context.children().remove();
        }
    }
}
