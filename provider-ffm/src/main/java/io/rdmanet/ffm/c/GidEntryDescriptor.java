package io.rdmanet.ffm.c;

/// `struct ibv_gid_entry`
/// ([ibv_query_gid_table(3)](https://man7.org/linux/man-pages/man3/ibv_query_gid_table.3.html)):
///
/// ```
///  0           16          20         24         28             32
/// +-----------+-----------+----------+----------+--------------+
/// | gid       | gid_index | port_num | gid_type | ndev_ifindex |
/// +-----------+-----------+----------+----------+--------------+
/// ```
public final class GidEntryDescriptor {
    public static final int SIZE = 32;
    public static final int GID = 0;
    public static final int INDEX = 16;
    public static final int PORT_NUMBER = 20;
    public static final int TYPE = 24;
    public static final int INTERFACE_INDEX = 28;

    /// `IBV_GID_TYPE_ROCE_V1`.
    public static final int ROCE_V1 = 1;

    /// `IBV_GID_TYPE_ROCE_V2`.
    public static final int ROCE_V2 = 2;

    private GidEntryDescriptor() {}
}
