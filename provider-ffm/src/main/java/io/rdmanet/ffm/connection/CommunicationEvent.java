package io.rdmanet.ffm.connection;

import io.rdmanet.ffm.c.CommunicationEventDescriptor;
import io.rdmanet.ffm.c.ConnectionParametersDescriptor;

/// What librdmacm told about an identifier: a copy of its `struct rdma_cm_event`.
///
/// @param type what happened
/// @param typeCode its number, for types that are not known here
/// @param status a negative error number, the reason of a rejection, or 0
/// @param identifier the `rdma_cm_id`; that of a connection request is new
/// @param privateData what came with it, padded with zeros to what the packet has room for
@SuppressWarnings("ArrayRecordComponent") // data on its way, compared by nobody
record CommunicationEvent(
        Type type, int typeCode, int status, long identifier, byte[] privateData) {
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
            return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
        }
    }

    /// Copies an event, which may be acknowledged then.
    static CommunicationEvent copyOf(long event) {
        int code = CommunicationEventDescriptor.type(event);
        return new CommunicationEvent(
                Type.of(code),
                code,
                CommunicationEventDescriptor.status(event),
                CommunicationEventDescriptor.identifier(event),
                ConnectionParametersDescriptor.privateData(
                        CommunicationEventDescriptor.parameters(event)));
    }

    /// Its name and status, for messages: `RDMA_CM_EVENT_REJECTED, status 28 (consumer defined)`.
    String describe() {
        String name =
                type == Type.UNKNOWN ? "event UNKNOWN(" + typeCode + ")" : "RDMA_CM_EVENT_" + type;
        return status == 0 ? name : name + ", status " + FfmConnectionFailure.describeStatus(this);
    }
}
