package io.rdmanet.ffm.c;

/// `struct ibv_qp_init_attr`
/// ([ibv_create_qp(3)](https://man7.org/linux/man-pages/man3/ibv_create_qp.3.html)):
///
/// ```
///  0            8         16        24    32             52        56           60       64
/// +------------+---------+---------+-----+--------------+---------+------------+--------+
/// | qp_context | send_cq | recv_cq | srq | cap          | qp_type | sq_sig_all | unused |
/// +------------+---------+---------+-----+--------------+---------+------------+--------+
/// ```
public final class QueuePairInitialDescriptor {
    public static final int SIZE = 64;
    public static final int SEND_COMPLETION_QUEUE = 8;
    public static final int RECEIVE_COMPLETION_QUEUE = 16;
    public static final int SHARED_RECEIVE_QUEUE = 24;
    public static final int CAPACITY = 32;
    public static final int TYPE = 52;
    public static final int SIGNALS_ALL = 56;

    /// `IBV_QPT_RC`.
    public static final int RELIABLE_CONNECTION = 2;

    /// `IBV_QPT_UC`.
    public static final int UNRELIABLE_CONNECTION = 3;

    /// `IBV_QPT_UD`.
    public static final int UNRELIABLE_DATAGRAM = 4;

    private QueuePairInitialDescriptor() {}
}
