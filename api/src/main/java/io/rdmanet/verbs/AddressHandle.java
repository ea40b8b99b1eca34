package io.rdmanet.verbs;

/// The address of a datagram's receiver (`struct ibv_ah`). The caller closes it.
public interface AddressHandle extends AutoCloseable {
    /// The domain it belongs to.
    ProtectionDomain protectionDomain();

    /// The way it stands for.
    AddressVector address();

    @Override
    void close();
}
