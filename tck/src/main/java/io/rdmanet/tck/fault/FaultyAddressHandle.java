package io.rdmanet.tck.fault;

import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.ProtectionDomain;

/// An address handle of a [FaultyProvider]: only its life is watched.
final class FaultyAddressHandle implements AddressHandle {
    private final ProtectionDomain domain;
    private final AddressHandle target;
    private final Tracked tracked;

    FaultyAddressHandle(ProtectionDomain domain, AddressHandle target, Tracked tracked) {
        this.domain = domain;
        this.target = target;
        this.tracked = tracked;
    }

    /// The wrapped provider's handle.
    static AddressHandle unwrap(AddressHandle handle) {
        return handle instanceof FaultyAddressHandle faulty ? faulty.target : handle;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public AddressVector address() {
        return target.address();
    }

    @Override
    public void close() {
        target.close();
        tracked.closed();
    }
}
