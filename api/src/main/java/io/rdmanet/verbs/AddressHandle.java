package io.rdmanet.verbs;

/// The way to the receivers of datagrams at one port (`struct ibv_ah`), for
/// [PostSend#datagram(AddressHandle, int, int)].
///
/// The caller closes it, before its domain and after the sends that name it have completed. Safe
/// for use by any thread, and by any number of queue pairs of its domain at once. A port that does
/// not answer any more is no error: what is sent there is lost.
public interface AddressHandle extends AutoCloseable {
    /// The domain it belongs to.
    ProtectionDomain protectionDomain();

    /// The way it stands for.
    AddressVector address();

    /// Destroys the handle.
    ///
    /// @throws IllegalStateException while a posted send that has not completed names it
    @Override
    void close();
}
