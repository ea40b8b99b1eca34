package io.rdmanet.ffm.c;

/// `struct ibv_recv_wr`
/// ([ibv_post_recv(3)](https://man7.org/linux/man-pages/man3/ibv_post_recv.3.html)):
///
/// ```
///  0          8          16         24        28       32
/// +----------+----------+----------+---------+--------+
/// | wr_id    | next     | sg_list  | num_sge | unused |
/// +----------+----------+----------+---------+--------+
/// ```
public final class ReceiveWorkRequestDescriptor {
    public static final int SIZE = 32;
    public static final int WORK_REQUEST_ID = 0;
    public static final int NEXT = 8;
    public static final int ELEMENTS = 16;
    public static final int ELEMENT_COUNT = 24;

    private ReceiveWorkRequestDescriptor() {}
}
