package io.rdmanet.verbs;

/// The transport of a queue pair (`enum ibv_qp_type`).
public enum QueuePairType {
    RELIABLE_CONNECTION,
    UNRELIABLE_CONNECTION,
    UNRELIABLE_DATAGRAM
}
