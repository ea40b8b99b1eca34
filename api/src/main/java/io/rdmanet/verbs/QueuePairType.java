package io.rdmanet.verbs;

/// The transport of a queue pair (`enum ibv_qp_type`).
public enum QueuePairType {
    /// Connected to one peer; everything arrives once and in order, or the sender learns why not.
    RELIABLE_CONNECTION,
    /// Connected to one peer; what is lost is lost.
    UNRELIABLE_CONNECTION,
    /// Each SEND names its receiver and is one packet: at most the active MTU of the port. It is
    /// lost without a word if nobody is there, if the queue key is wrong, or if the receiver has no
    /// receive posted that is long enough. It arrives behind the [GlobalRouteDescriptor#BYTES] that
    /// say where from. What is longer than the MTU never arrives; whether its sender learns of that
    /// (by an exception, a failed completion) is the device's choice.
    UNRELIABLE_DATAGRAM
}
