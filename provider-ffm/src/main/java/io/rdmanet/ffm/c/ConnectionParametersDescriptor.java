package io.rdmanet.ffm.c;

/// `struct rdma_conn_param` (rdma/rdma_cma.h):
///
/// ```
///  0               8     9      10     11     12     13     14   15   16        20   24
/// +---------------+-----+------+------+------+------+------+----+----+---------+----+
/// | private_data  | len | resp.| init.| flow | retry| rnr  | srq| 0  | qp_num  | 0  |
/// |               |     | res. | depth| ctrl | count| retry|    |    |         |    |
/// +---------------+-----+------+------+------+------+------+----+----+---------+----+
/// ```
public final class ConnectionParametersDescriptor {
    public static final int SIZE = 24;
    public static final int PRIVATE_DATA = 0;
    public static final int PRIVATE_DATA_LENGTH = 8;
    public static final int RESPONDER_RESOURCES = 9;
    public static final int INITIATOR_DEPTH = 10;
    public static final int FLOW_CONTROL = 11;
    public static final int RETRY_COUNT = 12;
    public static final int RNR_RETRY_COUNT = 13;
    public static final int SHARED_RECEIVE_QUEUE = 14;
    public static final int QUEUE_PAIR_NUMBER = 16;

    private ConnectionParametersDescriptor() {}

    /// Points to private data, which must live until the call returns.
    public static void setPrivateData(long descriptor, long address, int length) {
        NativeMemory.setLong(descriptor + PRIVATE_DATA, length == 0 ? 0 : address);
        NativeMemory.setByte(descriptor + PRIVATE_DATA_LENGTH, length);
    }

    /// The private data that an event brought; a fresh array.
    public static byte[] privateData(long descriptor) {
        long address = NativeMemory.longAt(descriptor + PRIVATE_DATA);
        int length = NativeMemory.unsignedByteAt(descriptor + PRIVATE_DATA_LENGTH);
        return address == 0 ? new byte[0] : NativeMemory.bytesAt(address, length);
    }
}
