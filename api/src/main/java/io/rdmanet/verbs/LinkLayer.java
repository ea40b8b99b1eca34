package io.rdmanet.verbs;

/// What a port's packets travel on.
public enum LinkLayer {
    UNSPECIFIED,
    INFINIBAND,
    ETHERNET,
    /// Shared memory of one machine.
    SHARED_MEMORY
}
