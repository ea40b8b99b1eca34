package io.rdmanet.ffm.c;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Everything that this provider takes for granted of librdmacm's headers.
class RdmacmHeaderTest {
    @TempDir Path directory;

    @Test
    void structsAndNumbersAreTheHeaders() throws Exception {
        HeaderComparison headers =
                HeaderComparison.including("netinet/in.h", "sys/socket.h", "rdma/rdma_cma.h");
        headers.struct(CommunicationIdentifierDescriptor.class, "struct rdma_cm_id")
                .field("VERBS", "verbs")
                .field("SOURCE", "route.addr.src_addr")
                .field("DESTINATION", "route.addr.dst_addr")
                .field("PORT_NUMBER", "port_num");
        headers.struct(CommunicationEventDescriptor.class, "struct rdma_cm_event")
                .size("SIZE")
                .field("IDENTIFIER", "id")
                .field("LISTENER", "listen_id")
                .field("TYPE", "event")
                .field("STATUS", "status")
                .field("PARAMETERS", "param.conn");
        headers.struct(ConnectionParametersDescriptor.class, "struct rdma_conn_param")
                .size("SIZE")
                .field("PRIVATE_DATA", "private_data")
                .field("PRIVATE_DATA_LENGTH", "private_data_len")
                .field("RESPONDER_RESOURCES", "responder_resources")
                .field("INITIATOR_DEPTH", "initiator_depth")
                .field("FLOW_CONTROL", "flow_control")
                .field("RETRY_COUNT", "retry_count")
                .field("RNR_RETRY_COUNT", "rnr_retry_count")
                .field("SHARED_RECEIVE_QUEUE", "srq")
                .field("QUEUE_PAIR_NUMBER", "qp_num");
        headers.struct(SocketAddressDescriptor.class, "struct sockaddr_in6")
                .constant("STORAGE_SIZE", "sizeof(struct sockaddr_storage)")
                .field("FAMILY", "sin6_family")
                .field("PORT", "sin6_port")
                .field("IPV6_ADDRESS", "sin6_addr")
                .field("IPV6_SCOPE", "sin6_scope_id")
                .size("IPV6_SIZE")
                .constant("IPV4_ADDRESS", "offsetof(struct sockaddr_in, sin_addr)")
                .constant("IPV4_SIZE", "sizeof(struct sockaddr_in)")
                .constant("AF_INET", "AF_INET")
                .constant("AF_INET6", "AF_INET6");
        headers.constant("RDMA_PS_TCP", Librdmacm.RDMA_PS_TCP)
                .constant("RDMA_CM_EVENT_CONNECT_REQUEST", 4)
                .constant("RDMA_CM_EVENT_CONNECT_RESPONSE", 5)
                .constant("RDMA_CM_EVENT_REJECTED", 8)
                .constant("RDMA_CM_EVENT_ESTABLISHED", 9)
                .constant("RDMA_CM_EVENT_DISCONNECTED", 10)
                .constant("RDMA_CM_EVENT_DEVICE_REMOVAL", 11)
                .constant("RDMA_CM_EVENT_ADDR_CHANGE", 14)
                .constant("RDMA_CM_EVENT_TIMEWAIT_EXIT", 15)
                .constant("offsetof(struct sockaddr_in, sin_port)", SocketAddressDescriptor.PORT)
                .constant(
                        "offsetof(struct sockaddr_in, sin_family)", SocketAddressDescriptor.FAMILY)
                .constant("offsetof(struct rdma_event_channel, fd)", 0);

        headers.assertEqual(directory);
    }
}
