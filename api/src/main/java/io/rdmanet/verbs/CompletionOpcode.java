package io.rdmanet.verbs;

/// What kind of work completed (`enum ibv_wc_opcode`). On a failed completion it is not defined.
public enum CompletionOpcode {
    SEND(0),
    RDMA_WRITE(1),
    RDMA_READ(2),
    COMPARE_AND_SWAP(3),
    FETCH_AND_ADD(4),
    RECEIVE(128),
    RECEIVE_RDMA_WITH_IMMEDIATE(129),
    /// A number that this table does not know.
    UNKNOWN(-1);

    private final int code;

    CompletionOpcode(int code) {
        this.code = code;
    }

    /// The number libibverbs has for it.
    public int code() {
        return code;
    }

    /// The opcode of a number; [#UNKNOWN], never an exception, for one that is not known.
    public static CompletionOpcode of(int code) {
        return switch (code) {
            case 0 -> SEND;
            case 1 -> RDMA_WRITE;
            case 2 -> RDMA_READ;
            case 3 -> COMPARE_AND_SWAP;
            case 4 -> FETCH_AND_ADD;
            case 128 -> RECEIVE;
            case 129 -> RECEIVE_RDMA_WITH_IMMEDIATE;
            default -> UNKNOWN;
        };
    }
}
