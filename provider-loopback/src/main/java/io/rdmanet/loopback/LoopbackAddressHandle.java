package io.rdmanet.loopback;

import io.rdmanet.loopback.link.PeerLink;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.VerbsException;
import java.util.concurrent.locks.ReentrantLock;

/// The way to the receivers of datagrams on one device: a link to it.
final class LoopbackAddressHandle implements AddressHandle {
    private final LoopbackProtectionDomain domain;
    private final AddressVector address;
    private final PeerLink link;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean isOpen = true;

    /// Finds the device.
    ///
    /// @throws VerbsException if it is not there
    static LoopbackAddressHandle create(LoopbackProtectionDomain domain, AddressVector address)
            throws VerbsException {
        if (address.portNumber() != 1 || address.sourceGidIndex() != 0) {
            throw new VerbsException(
                    "create_ah",
                    ErrorNumber.EINVAL,
                    "the loopback device has port 1 with GID index 0 only, not port "
                            + address.portNumber()
                            + " with GID index "
                            + address.sourceGidIndex());
        }
        PeerLink link = domain.context().hub().peer(address.destinationGid());
        return new LoopbackAddressHandle(domain, address, link);
    }

    private LoopbackAddressHandle(
            LoopbackProtectionDomain domain, AddressVector address, PeerLink link) {
        this.domain = domain;
        this.address = address;
        this.link = link;
        domain.children().add();
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public AddressVector address() {
        return address;
    }

    PeerLink link() {
        return link;
    }

    boolean isOpen() {
        return isOpen;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (isOpen) {
                domain.context().requireUnused(this);
                isOpen = false;
                domain.children().remove();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "address handle to " + address.destinationGid();
    }
}
