package io.rdmanet.ffm.c;

/// `struct ibv_port_attr`
/// ([ibv_query_port(3)](https://man7.org/linux/man-pages/man3/ibv_query_port.3.html)), the fields
/// we use. The exported `ibv_query_port` fills the first 48 bytes, which is all of them. The struct
/// grows with rdma-core (52 bytes in 44, 56 in 49), at its end; there is room for more.
///
/// ```
///  0       4         8            12            16    20           24    34    36     43
/// +-------+---------+------------+-------------+-----+------------+-----+-----+------+------+
/// | state | max_mtu | active_mtu | gid_tbl_len | ... | max_msg_sz | ... | lid | ...  | ...  |
/// +-------+---------+------------+-------------+-----+------------+-----+-----+------+------+
///                          43 active_width, 44 active_speed, 46 link_layer (1 byte each) ... 64
/// ```
public final class PortAttributesDescriptor {
    public static final int SIZE = 64;
    public static final int STATE = 0;
    public static final int MAX_MTU = 4;
    public static final int ACTIVE_MTU = 8;
    public static final int GID_TABLE_LENGTH = 12;
    public static final int MAX_MESSAGE_BYTES = 20;
    public static final int LOCAL_IDENTIFIER = 34;
    public static final int ACTIVE_WIDTH = 43;
    public static final int ACTIVE_SPEED = 44;
    public static final int LINK_LAYER = 46;

    /// `IBV_LINK_LAYER_INFINIBAND`.
    public static final int INFINIBAND = 1;

    /// `IBV_LINK_LAYER_ETHERNET`.
    public static final int ETHERNET = 2;

    private PortAttributesDescriptor() {}
}
