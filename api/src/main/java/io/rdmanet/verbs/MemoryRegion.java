package io.rdmanet.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Memory that the device may reach (`struct ibv_mr`).
///
/// The caller closes it. Safe for use by any thread; who may touch its bytes at what time is the
/// protocol's matter: a buffer belongs to the device from post to completion.
public interface MemoryRegion extends AutoCloseable {
    /// The domain it belongs to.
    ProtectionDomain protectionDomain();

    /// The memory itself. Memory from [ProtectionDomain#allocate] dies with the region.
    MemorySegment segment();

    /// The length in bytes.
    long length();

    /// The address by which a peer names the region's first byte in one-sided operations.
    long address();

    /// The key local work requests name it by.
    int localKey();

    /// The key a peer names it by in one-sided operations.
    int remoteKey();

    /// What may be done to it.
    Set<AccessFlag> access();

    /// Takes the memory back from the device, and frees it if the provider allocated it.
    ///
    /// @throws IllegalStateException while a posted request that has not completed names it
    @Override
    void close();
}
