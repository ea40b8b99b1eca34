package io.rdmanet.verbs;

/// What a send work request does (`enum ibv_wr_opcode`).
public enum SendOpcode {
    RDMA_WRITE(0),
    RDMA_WRITE_WITH_IMMEDIATE(1),
    SEND(2),
    SEND_WITH_IMMEDIATE(3),
    RDMA_READ(4),
    ATOMIC_COMPARE_AND_SWAP(5),
    ATOMIC_FETCH_AND_ADD(6);

    private final int code;

    SendOpcode(int code) {
        this.code = code;
    }

    /// The number libibverbs has for it.
    public int code() {
        return code;
    }

    /// Whether the request carries immediate data.
    public boolean hasImmediate() {
        return this == RDMA_WRITE_WITH_IMMEDIATE || this == SEND_WITH_IMMEDIATE;
    }

    /// Whether the request names memory of the peer.
    public boolean isOneSided() {
        return this != SEND && this != SEND_WITH_IMMEDIATE;
    }

    /// Whether the request is one of the two atomics.
    public boolean isAtomic() {
        return this == ATOMIC_COMPARE_AND_SWAP || this == ATOMIC_FETCH_AND_ADD;
    }

    /// Whether the request uses up a receive posted by the peer.
    public boolean consumesReceive() {
        return this == SEND || hasImmediate();
    }
}
