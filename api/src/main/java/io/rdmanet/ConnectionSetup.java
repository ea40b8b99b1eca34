package io.rdmanet;

/// How two ends find each other.
public enum ConnectionSetup {
    /// Through rdma_cm: by the RDMA device's IP address.
    RDMA_CM,
    /// By an exchange of queue pair numbers and GIDs over a TCP connection.
    TCP
}
