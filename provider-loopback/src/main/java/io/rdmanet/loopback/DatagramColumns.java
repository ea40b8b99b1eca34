package io.rdmanet.loopback;

import org.jspecify.annotations.Nullable;

/// Where datagrams go, one entry for each request: in prepared sends, and in the queue that takes
/// them over.
final class DatagramColumns {
    private final @Nullable LoopbackAddressHandle[] handles;
    private final @Nullable DatagramDestination[] destinations;
    private final int[] queueKeys;

    DatagramColumns(int length) {
        handles = new @Nullable LoopbackAddressHandle[length];
        destinations = new @Nullable DatagramDestination[length];
        queueKeys = new int[length];
    }

    void put(
            int index,
            LoopbackAddressHandle handle,
            DatagramDestination destination,
            int queueKey) {
        handles[index] = handle;
        destinations[index] = destination;
        queueKeys[index] = queueKey;
    }

    void copy(DatagramColumns from, int source, int target) {
        handles[target] = from.handles[source];
        destinations[target] = from.destinations[source];
        queueKeys[target] = from.queueKeys[source];
    }

    /// Throws unless a request can be posted.
    void requireReceiver(int index) {
        LoopbackAddressHandle handle = handles[index];
        if (handle == null) {
            throw new IllegalStateException(
                    "post_send: request "
                            + index
                            + " names no receiver; give it one by PostSend.datagram");
        }
        if (!handle.isOpen()) {
            throw new IllegalStateException(
                    "post_send: request " + index + " names an address handle that is closed");
        }
    }

    boolean names(int index, LoopbackAddressHandle handle) {
        return handles[index] == handle;
    }

    /// The receiver of a request that was posted.
    @Nullable DatagramDestination destination(int index) {
        return destinations[index];
    }

    int queueKey(int index) {
        return queueKeys[index];
    }
}
