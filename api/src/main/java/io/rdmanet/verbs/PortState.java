package io.rdmanet.verbs;

/// The state of a port (`enum ibv_port_state`).
public enum PortState {
    NOP(0),
    DOWN(1),
    INIT(2),
    ARMED(3),
    ACTIVE(4),
    ACTIVE_DEFER(5),
    /// A number that this table does not know.
    UNKNOWN(-1);

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /// The number libibverbs has for it.
    public int code() {
        return code;
    }

    /// The state of a number, [#UNKNOWN] for one that is not known.
    public static PortState of(int code) {
        for (PortState state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        return UNKNOWN;
    }
}
