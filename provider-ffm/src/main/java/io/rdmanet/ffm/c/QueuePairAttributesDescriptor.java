package io.rdmanet.ffm.c;

/// `struct ibv_qp_attr`
/// ([ibv_modify_qp(3)](https://man7.org/linux/man-pages/man3/ibv_modify_qp.3.html)), the fields we
/// use:
///
/// ```
///  0          8          16     20       24       28            32              36         56
/// +-----+----+----------+------+--------+--------+-------------+---------------+----------+
/// |state|    | path_mtu |qkey  | rq_psn | sq_psn | dest_qp_num | access_flags  | cap      |
/// +-----+----+----------+------+--------+--------+-------------+---------------+----------+
/// | ah_attr (32)        | alt_ah_attr (32)       | pkey_index (2) ...                     |
/// +---------------------+------------------------+----------------------------------------+
///  56                    88                       120
///    126 max_rd_atomic, 127 max_dest_rd_atomic, 128 min_rnr_timer, 129 port_num, 130 timeout,
///    131 retry_cnt, 132 rnr_retry (1 byte each) ... 144
/// ```
public final class QueuePairAttributesDescriptor {
    public static final int SIZE = 144;
    public static final int STATE = 0;
    public static final int PATH_MTU = 8;
    public static final int QUEUE_KEY = 16;
    public static final int RECEIVE_PACKET_SEQUENCE_NUMBER = 20;
    public static final int SEND_PACKET_SEQUENCE_NUMBER = 24;
    public static final int DESTINATION_QUEUE_PAIR_NUMBER = 28;
    public static final int ACCESS_FLAGS = 32;
    public static final int ADDRESS_VECTOR = 56;
    public static final int PARTITION_KEY_INDEX = 120;
    public static final int MAX_READ_ATOMIC = 126;
    public static final int MAX_DESTINATION_READ_ATOMIC = 127;
    public static final int MIN_RNR_TIMER = 128;
    public static final int PORT_NUMBER = 129;
    public static final int TIMEOUT = 130;
    public static final int RETRY_COUNT = 131;
    public static final int RNR_RETRY_COUNT = 132;

    /// `IBV_QP_STATE` and so on: bits that say which fields count.
    public static final int MASK_STATE = 1;

    public static final int MASK_ACCESS_FLAGS = 1 << 3;
    public static final int MASK_PARTITION_KEY_INDEX = 1 << 4;
    public static final int MASK_PORT = 1 << 5;
    public static final int MASK_QUEUE_KEY = 1 << 6;
    public static final int MASK_ADDRESS_VECTOR = 1 << 7;
    public static final int MASK_PATH_MTU = 1 << 8;
    public static final int MASK_TIMEOUT = 1 << 9;
    public static final int MASK_RETRY_COUNT = 1 << 10;
    public static final int MASK_RNR_RETRY = 1 << 11;
    public static final int MASK_RECEIVE_PACKET_SEQUENCE_NUMBER = 1 << 12;
    public static final int MASK_MAX_READ_ATOMIC = 1 << 13;
    public static final int MASK_MIN_RNR_TIMER = 1 << 15;
    public static final int MASK_SEND_PACKET_SEQUENCE_NUMBER = 1 << 16;
    public static final int MASK_MAX_DESTINATION_READ_ATOMIC = 1 << 17;
    public static final int MASK_DESTINATION_QUEUE_PAIR_NUMBER = 1 << 20;

    private QueuePairAttributesDescriptor() {}
}
