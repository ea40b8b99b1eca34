package io.rdmanet.verbs;

/// What happens to an established connection (the part of `enum rdma_cm_event_type` that does not
/// answer a call).
public enum ConnectionEvent {
    /// The peer ended the connection, or has gone.
    DISCONNECTED,
    /// The device was removed: close everything made from it.
    DEVICE_REMOVED,
    /// The network interface behind the connection changed its address.
    ADDRESS_CHANGED,
    /// The peer's late packets can no longer arrive.
    TIME_WAIT_EXIT
}
