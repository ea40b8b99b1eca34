package io.rdmanet.tck;

/// How the two queue pairs of a [ConnectedPair] are connected.
public enum Pairing {
    /// Two queue pairs of one context, modified to READY_TO_SEND with each other's numbers.
    MODIFY,
    /// Two ends of a connection made by the connection manager.
    CONNECTION_MANAGER
}
