package io.rdmanet;

/// What the messages of a raw run are.
public enum RawVerb {
    /// SEND into the receives that the peer has posted.
    SEND,
    /// RDMA WRITE into the peer's region.
    WRITE,
    /// RDMA READ from the peer's region.
    READ
}
