package io.rdmanet.verbs;

/// The states of a queue pair (`enum ibv_qp_state`; InfiniBand specification 10.3.1).
public enum QueuePairState {
    RESET(0),
    INIT(1),
    READY_TO_RECEIVE(2),
    READY_TO_SEND(3),
    SEND_QUEUE_DRAINED(4),
    SEND_QUEUE_ERROR(5),
    ERROR(6);

    private final int code;

    QueuePairState(int code) {
        this.code = code;
    }

    /// The number libibverbs has for it.
    public int code() {
        return code;
    }

    /// The state of a number.
    ///
    /// @throws IllegalArgumentException unless it is 0 to 6
    public static QueuePairState ofCode(int code) {
        for (QueuePairState state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        throw new IllegalArgumentException("no queue pair state has the code " + code);
    }

    /// Whether receives may be posted.
    public boolean allowsPostReceive() {
        return this != RESET;
    }

    /// Whether sends may be posted. In an error state they complete as flushed.
    public boolean allowsPostSend() {
        return code >= READY_TO_SEND.code;
    }
}
