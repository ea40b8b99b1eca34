package io.rdmanet.ffm.c;

import io.rdmanet.verbs.QueuePairCapacity;

/// `struct ibv_qp_cap`:
///
/// ```
///  0             4             8              12             16                20
/// +-------------+-------------+--------------+--------------+-----------------+
/// | max_send_wr | max_recv_wr | max_send_sge | max_recv_sge | max_inline_data |
/// +-------------+-------------+--------------+--------------+-----------------+
/// ```
public final class QueuePairCapacityDescriptor {
    public static final int SIZE = 20;
    public static final int MAX_SENDS = 0;
    public static final int MAX_RECEIVES = 4;
    public static final int MAX_SEND_SCATTER_GATHER = 8;
    public static final int MAX_RECEIVE_SCATTER_GATHER = 12;
    public static final int MAX_INLINE_DATA = 16;

    private QueuePairCapacityDescriptor() {}

    /// Writes what a queue pair is asked to hold.
    public static void set(long capacity, QueuePairCapacity value) {
        NativeMemory.setInt(capacity + MAX_SENDS, value.maxSends());
        NativeMemory.setInt(capacity + MAX_RECEIVES, value.maxReceives());
        NativeMemory.setInt(capacity + MAX_SEND_SCATTER_GATHER, value.maxSendScatterGather());
        NativeMemory.setInt(capacity + MAX_RECEIVE_SCATTER_GATHER, value.maxReceiveScatterGather());
        NativeMemory.setInt(capacity + MAX_INLINE_DATA, value.maxInlineData());
    }

    /// Reads what it holds.
    public static QueuePairCapacity get(long capacity) {
        return new QueuePairCapacity(
                count(capacity + MAX_SENDS),
                count(capacity + MAX_RECEIVES),
                count(capacity + MAX_SEND_SCATTER_GATHER),
                count(capacity + MAX_RECEIVE_SCATTER_GATHER),
                count(capacity + MAX_INLINE_DATA));
    }

    private static int count(long address) {
        return Math.max(0, NativeMemory.intAt(address));
    }
}
