package io.rdmanet.disni;

/// What rdma_cm told about an identifier. DiSNI loses an event's status and its private data.
///
/// @param type what happened
/// @param code its number, for types that are not known here
record CommunicationEvent(Type type, int code) {
    /// `enum rdma_cm_event_type`, in its order.
    enum Type {
        ADDR_RESOLVED,
        ADDR_ERROR,
        ROUTE_RESOLVED,
        ROUTE_ERROR,
        CONNECT_REQUEST,
        CONNECT_RESPONSE,
        CONNECT_ERROR,
        UNREACHABLE,
        REJECTED,
        ESTABLISHED,
        DISCONNECTED,
        DEVICE_REMOVAL,
        MULTICAST_JOIN,
        MULTICAST_ERROR,
        ADDR_CHANGE,
        TIMEWAIT_EXIT,
        /// One that a later librdmacm has.
        UNKNOWN;

        private static final Type[] BY_CODE = values();

        static Type of(int code) {
            return code >= 0 && code < BY_CODE.length - 1 ? BY_CODE[code] : UNKNOWN;
        }
    }

    static CommunicationEvent of(int code) {
        return new CommunicationEvent(Type.of(code), code);
    }

    /// Its name, for messages: `RDMA_CM_EVENT_REJECTED`.
    String describe() {
        return type == Type.UNKNOWN ? "event UNKNOWN(" + code + ")" : "RDMA_CM_EVENT_" + type;
    }
}
