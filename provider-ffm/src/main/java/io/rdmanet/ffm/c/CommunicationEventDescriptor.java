package io.rdmanet.ffm.c;

/// `struct rdma_cm_event` (rdma/rdma_cma.h) of a connection. It lives until `rdma_ack_cm_event`.
///
/// ```
///  0        8           16       20       24                    48           80
/// +--------+-----------+--------+--------+---------------------+------------+
/// | id     | listen_id | event  | status | param: rdma_conn_   | datagrams' |
/// |        |           |        |        | param               | only       |
/// +--------+-----------+--------+--------+---------------------+------------+
/// ```
public final class CommunicationEventDescriptor {
    public static final int SIZE = 80;
    public static final int IDENTIFIER = 0;
    public static final int LISTENER = 8;
    public static final int TYPE = 16;
    public static final int STATUS = 20;
    public static final int PARAMETERS = 24;

    private CommunicationEventDescriptor() {}

    /// The `rdma_cm_id` it is about; that of a connection request is new.
    public static long identifier(long event) {
        return NativeMemory.longAt(event + IDENTIFIER);
    }

    /// Its `enum rdma_cm_event_type`.
    public static int type(long event) {
        return NativeMemory.intAt(event + TYPE);
    }

    /// A negative error number, or the reason of a rejection.
    public static int status(long event) {
        return NativeMemory.intAt(event + STATUS);
    }

    /// What came with it, a [ConnectionParametersDescriptor].
    public static long parameters(long event) {
        return event + PARAMETERS;
    }
}
