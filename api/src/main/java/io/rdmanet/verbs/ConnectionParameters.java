package io.rdmanet.verbs;

import static java.util.Objects.requireNonNull;

/// What a connection is made with (`struct rdma_conn_param`). Arrays are taken as they are.
///
/// @param privateData for the peer; at most 56 bytes with a request, 196 with an acceptance
/// @param responderResources RDMA READs and atomics that the peer may have in flight, 0 to 255
/// @param initiatorDepth RDMA READs and atomics that this end has in flight, 0 to 255
/// @param retryCount retries after a lost packet, 0 to 7; 6 or less, since 7 never ends on
///   Soft-RoCE
/// @param rnrRetryCount retries when the peer has no receive posted, 0 to 7; 7 means for ever
@SuppressWarnings("ArrayRecordComponent") // data on its way to the wire, compared by nobody
public record ConnectionParameters(
        byte[] privateData,
        int responderResources,
        int initiatorDepth,
        int retryCount,
        int rnrRetryCount) {
    /// The most private data a request carries (56 bytes are left by librdmacm).
    public static final int MAX_REQUEST_PRIVATE_DATA = 56;

    /// The most private data an acceptance carries.
    public static final int MAX_ACCEPT_PRIVATE_DATA = 196;

    private static final int MAX_COUNT = 7;
    private static final int MAX_DEPTH = 255;

    public ConnectionParameters {
        requireNonNull(privateData, "privateData");
        requireRange(privateData.length, MAX_ACCEPT_PRIVATE_DATA, "privateData.length");
        requireRange(responderResources, MAX_DEPTH, "responderResources");
        requireRange(initiatorDepth, MAX_DEPTH, "initiatorDepth");
        requireRange(retryCount, MAX_COUNT, "retryCount");
        requireRange(rnrRetryCount, MAX_COUNT, "rnrRetryCount");
    }

    /// No private data, one RDMA READ or atomic each way, 6 retries, RNR retries for ever.
    public static ConnectionParameters defaults() {
        return new ConnectionParameters(
                new byte[0],
                1,
                1,
                QueuePairAttributes.DEFAULT_RETRY_COUNT,
                QueuePairAttributes.DEFAULT_RNR_RETRY_COUNT);
    }

    /// A copy with private data.
    public ConnectionParameters withPrivateData(byte[] data) {
        return new ConnectionParameters(
                data, responderResources, initiatorDepth, retryCount, rnrRetryCount);
    }

    /// A copy with another number of RNR retries.
    public ConnectionParameters withRnrRetryCount(int count) {
        return new ConnectionParameters(
                privateData, responderResources, initiatorDepth, retryCount, count);
    }

    private static void requireRange(int value, int max, String name) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + " must be 0 to " + max + ", is " + value);
        }
    }
}
