package io.rdmanet.verbs;

import static java.util.Objects.requireNonNull;

/// Something that happened to a device, a port or a queue pair (`struct ibv_async_event`).
///
/// @param type what happened
/// @param element to what: the number of a queue pair, a port or a shared receive queue, or 0
public record AsyncEvent(Type type, int element) {
    public AsyncEvent {
        requireNonNull(type, "type");
    }

    /// What can happen (`enum ibv_event_type`).
    public enum Type {
        COMPLETION_QUEUE_ERROR,
        QUEUE_PAIR_FATAL,
        QUEUE_PAIR_REQUEST_ERROR,
        QUEUE_PAIR_ACCESS_ERROR,
        COMMUNICATION_ESTABLISHED,
        SEND_QUEUE_DRAINED,
        PATH_MIGRATED,
        PATH_MIGRATION_ERROR,
        DEVICE_FATAL,
        PORT_ACTIVE,
        PORT_ERROR,
        LOCAL_IDENTIFIER_CHANGED,
        PARTITION_KEY_CHANGED,
        SUBNET_MANAGER_CHANGED,
        SHARED_RECEIVE_QUEUE_ERROR,
        SHARED_RECEIVE_QUEUE_LIMIT,
        LAST_WORK_REQUEST_REACHED,
        CLIENT_REREGISTER,
        GID_CHANGED,
        /// A number that this table does not know.
        UNKNOWN
    }
}
