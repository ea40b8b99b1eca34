package io.rdmanet.tck.fault;

/// What is opened and closed through a provider.
public enum Resource {
    CONNECTION_MANAGER,
    CONNECTION_LISTENER,
    CONNECTION_IDENTIFIER,
    CONTEXT,
    PROTECTION_DOMAIN,
    MEMORY_REGION,
    COMPLETION_CHANNEL,
    COMPLETION_QUEUE,
    QUEUE_PAIR,
    SHARED_RECEIVE_QUEUE,
    ADDRESS_HANDLE,
    POST_SEND,
    POST_RECEIVE
}
