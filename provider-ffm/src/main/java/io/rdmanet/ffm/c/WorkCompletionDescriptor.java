package io.rdmanet.ffm.c;

/// `struct ibv_wc` ([ibv_poll_cq(3)](https://man7.org/linux/man-pages/man3/ibv_poll_cq.3.html)):
///
/// ```
///  0        8        12       16           20         24    28       32       36      40       48
/// +--------+--------+--------+------------+----------+-----+--------+--------+-------+--------+
/// | wr_id  | status | opcode | vendor_err | byte_len | imm | qp_num | src_qp | flags | unused |
/// +--------+--------+--------+------------+----------+-----+--------+--------+-------+--------+
/// ```
public final class WorkCompletionDescriptor {
    public static final int SIZE = 48;
    public static final int WORK_REQUEST_ID = 0;
    public static final int STATUS = 8;
    public static final int OPCODE = 12;
    public static final int VENDOR_ERROR = 16;
    public static final int BYTE_LENGTH = 20;
    public static final int IMMEDIATE = 24;
    public static final int QUEUE_PAIR_NUMBER = 28;
    public static final int SOURCE_QUEUE_PAIR = 32;
    public static final int FLAGS = 36;

    /// `IBV_WC_GRH`.
    public static final int FLAG_GLOBAL_ROUTE = 1;

    /// `IBV_WC_WITH_IMM`.
    public static final int FLAG_IMMEDIATE = 2;

    private WorkCompletionDescriptor() {}
}
