package io.rdmanet.ffm.c;

/// `struct ibv_srq_init_attr` with its `struct ibv_srq_attr`
/// ([ibv_create_srq(3)](https://man7.org/linux/man-pages/man3/ibv_create_srq.3.html)):
///
/// ```
///  0             8        12        16          20       24
/// +-------------+--------+---------+-----------+--------+
/// | srq_context | max_wr | max_sge | srq_limit | unused |
/// +-------------+--------+---------+-----------+--------+
/// ```
public final class SharedReceiveQueueDescriptor {
    public static final int SIZE = 24;

    /// Where the `struct ibv_srq_attr` begins.
    public static final int ATTRIBUTES = 8;

    public static final int MAX_RECEIVES = 8;
    public static final int MAX_SCATTER_GATHER = 12;
    public static final int LIMIT = 16;

    /// `IBV_SRQ_LIMIT`.
    public static final int MASK_LIMIT = 2;

    private SharedReceiveQueueDescriptor() {}
}
