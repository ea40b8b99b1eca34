package io.rdmanet.ffm.c;

/// `struct ibv_send_wr`
/// ([ibv_post_send(3)](https://man7.org/linux/man-pages/man3/ibv_post_send.3.html)):
///
/// ```
///  0          8          16         24        28       32      36     40
/// +----------+----------+----------+---------+--------+-------+------+
/// | wr_id    | next     | sg_list  | num_sge | opcode | flags | imm  |
/// +----------+----------+----------+---------+--------+-------+------+
/// | remote_addr         | rkey     | not used by us                  |  RDMA
/// | remote_addr         | compare_add        | swap        | rkey    |  atomics, 8 bytes each
/// | ah                  | remote_qpn         | remote_qkey |         |  datagrams, 8, 4, 4 bytes
/// +---------------------+----------+---------------------------------+
///  40                    48         52 or 56, 64                   128
/// ```
///
/// The first 28 bytes are those of [ReceiveWorkRequestDescriptor], too.
public final class SendWorkRequestDescriptor {
    public static final int SIZE = 128;
    public static final int WORK_REQUEST_ID = 0;
    public static final int NEXT = 8;
    public static final int ELEMENTS = 16;
    public static final int ELEMENT_COUNT = 24;
    public static final int OPCODE = 28;
    public static final int FLAGS = 32;
    public static final int IMMEDIATE = 36;
    public static final int REMOTE_ADDRESS = 40;
    public static final int REMOTE_KEY = 48;
    public static final int ATOMIC_COMPARE_OR_ADD = 48;
    public static final int ATOMIC_SWAP = 56;
    public static final int ATOMIC_REMOTE_KEY = 64;
    public static final int ADDRESS_HANDLE = 40;
    public static final int REMOTE_QUEUE_PAIR_NUMBER = 48;
    public static final int REMOTE_QUEUE_KEY = 52;

    private SendWorkRequestDescriptor() {}
}
