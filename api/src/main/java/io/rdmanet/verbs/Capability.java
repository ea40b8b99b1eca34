package io.rdmanet.verbs;

/// Something that a provider either can do, or declares that it cannot.
public enum Capability {
    /// [VerbsProvider#devices()] lists devices.
    DEVICE_LIST("listing devices"),
    /// A device can be chosen by name.
    DEVICE_CHOICE("choosing a device by name"),
    /// A GID can be chosen by index, and the GID table read.
    GID_CHOICE("choosing a GID by index"),
    /// The path MTU can be chosen.
    MTU_CHOICE("choosing the path MTU"),
    /// Connections through rdma_cm ([ConnectionManager]).
    CONNECTION_MANAGER("connecting through rdma_cm"),
    /// Private data travels with connect, accept and reject.
    PRIVATE_DATA("private data in connection set-up"),
    /// IPv6 addresses in connection set-up.
    IPV6("IPv6 addresses"),
    /// Queue pairs can be modified by the caller, so that numbers exchanged over TCP connect them.
    QUEUE_PAIR_MODIFY("connecting queue pairs by an exchange over TCP"),
    /// Completion channels: a thread can sleep until a completion arrives.
    COMPLETION_CHANNEL("event mode (completion channels)"),
    /// Immediate data with SEND and RDMA WRITE.
    IMMEDIATE_DATA("immediate data"),
    /// Sends whose data is taken when they are posted.
    INLINE_DATA("inline data"),
    /// Inline data from memory that belongs to no region ([PostSend#inlineData]).
    UNREGISTERED_INLINE_DATA("inline data from memory that is not registered"),
    /// RDMA WRITE and RDMA READ.
    ONE_SIDED("RDMA WRITE and RDMA READ"),
    /// Compare-and-swap and fetch-and-add on remote memory.
    ATOMICS("remote atomics"),
    /// Memory regions of 2 GiB and more.
    LARGE_REGIONS("memory regions of 2 GiB and more"),
    /// Events of devices, ports and queue pairs ([Context#pollAsyncEvent()]).
    ASYNC_EVENTS("asynchronous events"),
    /// Unreliable connections.
    UNRELIABLE_CONNECTION("unreliable connection (UC) queue pairs"),
    /// Unreliable datagram queue pairs and address handles.
    UNRELIABLE_DATAGRAM("unreliable datagram (UD) queue pairs"),
    /// Receive queues shared by queue pairs.
    SHARED_RECEIVE_QUEUE("shared receive queues");

    private final String description;

    Capability(String description) {
        this.description = description;
    }

    /// What the capability is, in words for an error message.
    public String description() {
        return description;
    }
}
