package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.AddressVectorDescriptor;
import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.internal.provider.Destroying;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.util.concurrent.locks.ReentrantLock;

/// An address handle of libibverbs.
final class FfmAddressHandle implements AddressHandle {
    private final FfmProtectionDomain domain;
    private final AddressVector way;
    private final long nativeHandle;
    private final NamedResource named = new NamedResource();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean isOpen = true;

    static FfmAddressHandle create(FfmProtectionDomain domain, AddressVector way)
            throws VerbsException {
        domain.children().add("create_ah");
        try (Arena arena = Arena.ofConfined()) {
            long attributes = arena.allocate(AddressVectorDescriptor.SIZE, Long.BYTES).address();
            AddressVectorDescriptor.set(attributes, way);
            long made = Libibverbs.ibv_create_ah(domain.address(), attributes);
            if (Result.isFailure(made)) {
                domain.children().remove();
                throw new VerbsException(
                        "create_ah",
                        Result.errorNumber(made),
                        way
                                + " on "
                                + domain.context()
                                + "; does the source GID index exist, and is there a route?");
            }
            return new FfmAddressHandle(domain, way, made);
        }
    }

    private FfmAddressHandle(FfmProtectionDomain domain, AddressVector way, long nativeHandle) {
        this.domain = domain;
        this.way = way;
        this.nativeHandle = nativeHandle;
    }

    /// Checks the receiver of a datagram.
    static FfmAddressHandle requireOwn(FfmProtectionDomain domain, AddressHandle handle) {
        if (!(handle instanceof FfmAddressHandle own) || own.domain != domain) {
            throw new IllegalArgumentException(
                    "the address handle belongs to another protection domain than the queue pair");
        }
        if (own.named.isClosed()) {
            throw new IllegalStateException("the address handle is closed");
        }
        return own;
    }

    @Override
    public FfmProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public AddressVector address() {
        return way;
    }

    /// The `struct ibv_ah *`.
    long nativeHandle() {
        return nativeHandle;
    }

    /// How requests name it.
    NamedResource named() {
        return named;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!isOpen) {
                return;
            }
            named.close("destroy_ah: the address handle to " + way.destinationGid());
            isOpen = false;
            Destroying.require(
                    "destroy_ah",
                    Libibverbs.ibv_destroy_ah(nativeHandle),
                    "the address handle to " + way.destinationGid());
            domain.children().remove();
        } finally {
            lock.unlock();
        }
    }
}
