package io.rdmanet.ffm.c;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortState;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Everything that this provider takes for granted of `infiniband/verbs.h`.
class VerbsHeaderTest {
    private final HeaderComparison headers = HeaderComparison.including("infiniband/verbs.h");

    @TempDir Path directory;

    @Test
    void requestsAndCompletionsAreLaidOutAsInTheHeaders() throws Exception {
        headers.struct(SendWorkRequestDescriptor.class, "struct ibv_send_wr")
                .size("SIZE")
                .field("WORK_REQUEST_ID", "wr_id")
                .field("NEXT", "next")
                .field("ELEMENTS", "sg_list")
                .field("ELEMENT_COUNT", "num_sge")
                .field("OPCODE", "opcode")
                .field("FLAGS", "send_flags")
                .field("IMMEDIATE", "imm_data")
                .field("REMOTE_ADDRESS", "wr.rdma.remote_addr")
                .field("REMOTE_KEY", "wr.rdma.rkey")
                .field("ATOMIC_COMPARE_OR_ADD", "wr.atomic.compare_add")
                .field("ATOMIC_SWAP", "wr.atomic.swap")
                .field("ATOMIC_REMOTE_KEY", "wr.atomic.rkey")
                .field("ADDRESS_HANDLE", "wr.ud.ah")
                .field("REMOTE_QUEUE_PAIR_NUMBER", "wr.ud.remote_qpn")
                .field("REMOTE_QUEUE_KEY", "wr.ud.remote_qkey");
        // One setter serves both.
        headers.constant(
                "offsetof(struct ibv_send_wr, wr.atomic.remote_addr)",
                SendWorkRequestDescriptor.REMOTE_ADDRESS);
        headers.struct(ReceiveWorkRequestDescriptor.class, "struct ibv_recv_wr")
                .size("SIZE")
                .field("WORK_REQUEST_ID", "wr_id")
                .field("NEXT", "next")
                .field("ELEMENTS", "sg_list")
                .field("ELEMENT_COUNT", "num_sge");
        headers.struct(ScatterGatherDescriptor.class, "struct ibv_sge")
                .size("SIZE")
                .field("ADDRESS", "addr")
                .field("LENGTH", "length")
                .field("LOCAL_KEY", "lkey");
        headers.struct(WorkCompletionDescriptor.class, "struct ibv_wc")
                .size("SIZE")
                .field("WORK_REQUEST_ID", "wr_id")
                .field("STATUS", "status")
                .field("OPCODE", "opcode")
                .field("VENDOR_ERROR", "vendor_err")
                .field("BYTE_LENGTH", "byte_len")
                .field("IMMEDIATE", "imm_data")
                .field("QUEUE_PAIR_NUMBER", "qp_num")
                .field("SOURCE_QUEUE_PAIR", "src_qp")
                .field("FLAGS", "wc_flags")
                .constant("FLAG_GLOBAL_ROUTE", "IBV_WC_GRH")
                .constant("FLAG_IMMEDIATE", "IBV_WC_WITH_IMM");

        headers.assertEqual(directory);
    }

    @Test
    void sendsAndReceivesShareTheFieldsThatChainsWrite() throws Exception {
        for (String field : List.of("wr_id", "next", "sg_list", "num_sge")) {
            headers.constant(
                    "offsetof(struct ibv_send_wr, %1$s) - offsetof(struct ibv_recv_wr, %1$s)"
                            .formatted(field),
                    0);
        }
        headers.assertEqual(directory);
    }

    @Test
    void queuePairsAreLaidOutAsInTheHeaders() throws Exception {
        headers.struct(QueuePairInitialDescriptor.class, "struct ibv_qp_init_attr")
                .size("SIZE")
                .field("SEND_COMPLETION_QUEUE", "send_cq")
                .field("RECEIVE_COMPLETION_QUEUE", "recv_cq")
                .field("SHARED_RECEIVE_QUEUE", "srq")
                .field("CAPACITY", "cap")
                .field("TYPE", "qp_type")
                .field("SIGNALS_ALL", "sq_sig_all")
                .constant("RELIABLE_CONNECTION", "IBV_QPT_RC")
                .constant("UNRELIABLE_CONNECTION", "IBV_QPT_UC")
                .constant("UNRELIABLE_DATAGRAM", "IBV_QPT_UD");
        headers.struct(QueuePairCapacityDescriptor.class, "struct ibv_qp_cap")
                .size("SIZE")
                .field("MAX_SENDS", "max_send_wr")
                .field("MAX_RECEIVES", "max_recv_wr")
                .field("MAX_SEND_SCATTER_GATHER", "max_send_sge")
                .field("MAX_RECEIVE_SCATTER_GATHER", "max_recv_sge")
                .field("MAX_INLINE_DATA", "max_inline_data");
        headers.struct(QueuePairAttributesDescriptor.class, "struct ibv_qp_attr")
                .size("SIZE")
                .field("STATE", "qp_state")
                .field("PATH_MTU", "path_mtu")
                .field("QUEUE_KEY", "qkey")
                .field("RECEIVE_PACKET_SEQUENCE_NUMBER", "rq_psn")
                .field("SEND_PACKET_SEQUENCE_NUMBER", "sq_psn")
                .field("DESTINATION_QUEUE_PAIR_NUMBER", "dest_qp_num")
                .field("ACCESS_FLAGS", "qp_access_flags")
                .field("ADDRESS_VECTOR", "ah_attr")
                .field("PARTITION_KEY_INDEX", "pkey_index")
                .field("MAX_READ_ATOMIC", "max_rd_atomic")
                .field("MAX_DESTINATION_READ_ATOMIC", "max_dest_rd_atomic")
                .field("MIN_RNR_TIMER", "min_rnr_timer")
                .field("PORT_NUMBER", "port_num")
                .field("TIMEOUT", "timeout")
                .field("RETRY_COUNT", "retry_cnt")
                .field("RNR_RETRY_COUNT", "rnr_retry")
                .constant("MASK_STATE", "IBV_QP_STATE")
                .constant("MASK_ACCESS_FLAGS", "IBV_QP_ACCESS_FLAGS")
                .constant("MASK_PARTITION_KEY_INDEX", "IBV_QP_PKEY_INDEX")
                .constant("MASK_PORT", "IBV_QP_PORT")
                .constant("MASK_QUEUE_KEY", "IBV_QP_QKEY")
                .constant("MASK_ADDRESS_VECTOR", "IBV_QP_AV")
                .constant("MASK_PATH_MTU", "IBV_QP_PATH_MTU")
                .constant("MASK_TIMEOUT", "IBV_QP_TIMEOUT")
                .constant("MASK_RETRY_COUNT", "IBV_QP_RETRY_CNT")
                .constant("MASK_RNR_RETRY", "IBV_QP_RNR_RETRY")
                .constant("MASK_RECEIVE_PACKET_SEQUENCE_NUMBER", "IBV_QP_RQ_PSN")
                .constant("MASK_MAX_READ_ATOMIC", "IBV_QP_MAX_QP_RD_ATOMIC")
                .constant("MASK_MIN_RNR_TIMER", "IBV_QP_MIN_RNR_TIMER")
                .constant("MASK_SEND_PACKET_SEQUENCE_NUMBER", "IBV_QP_SQ_PSN")
                .constant("MASK_MAX_DESTINATION_READ_ATOMIC", "IBV_QP_MAX_DEST_RD_ATOMIC")
                .constant("MASK_DESTINATION_QUEUE_PAIR_NUMBER", "IBV_QP_DEST_QPN");
        headers.struct(AddressVectorDescriptor.class, "struct ibv_ah_attr")
                .size("SIZE")
                .field("DESTINATION_GID", "grh.dgid")
                .field("SOURCE_GID_INDEX", "grh.sgid_index")
                .field("HOP_LIMIT", "grh.hop_limit")
                .field("TRAFFIC_CLASS", "grh.traffic_class")
                .field("DESTINATION_LOCAL_IDENTIFIER", "dlid")
                .field("SERVICE_LEVEL", "sl")
                .field("IS_GLOBAL", "is_global")
                .field("PORT_NUMBER", "port_num");
        headers.struct(SharedReceiveQueueDescriptor.class, "struct ibv_srq_init_attr")
                .size("SIZE")
                .field("ATTRIBUTES", "attr")
                .field("MAX_RECEIVES", "attr.max_wr")
                .field("MAX_SCATTER_GATHER", "attr.max_sge")
                .field("LIMIT", "attr.srq_limit")
                .constant("MASK_LIMIT", "IBV_SRQ_LIMIT");

        headers.assertEqual(directory);
    }

    @Test
    void devicesAndPortsAreLaidOutAsInTheHeaders() throws Exception {
        headers.struct(DeviceAttributesDescriptor.class, "struct ibv_device_attr")
                .size("SIZE")
                .field("FIRMWARE", "fw_ver")
                .field("MAX_MEMORY_REGION_BYTES", "max_mr_size")
                .field("VENDOR_ID", "vendor_id")
                .field("MAX_QUEUE_PAIRS", "max_qp")
                .field("MAX_WORK_REQUESTS", "max_qp_wr")
                .field("MAX_SCATTER_GATHER", "max_sge")
                .field("MAX_COMPLETION_QUEUES", "max_cq")
                .field("MAX_COMPLETION_QUEUE_ENTRIES", "max_cqe")
                .field("MAX_MEMORY_REGIONS", "max_mr")
                .field("MAX_READ_ATOMIC", "max_qp_rd_atom")
                .field("ATOMIC_CAPABILITY", "atomic_cap")
                .field("PHYSICAL_PORTS", "phys_port_cnt")
                .constant("NO_ATOMICS", "IBV_ATOMIC_NONE");
        headers.struct(PortAttributesDescriptor.class, "struct ibv_port_attr")
                .room("SIZE")
                .field("STATE", "state")
                .field("MAX_MTU", "max_mtu")
                .field("ACTIVE_MTU", "active_mtu")
                .field("GID_TABLE_LENGTH", "gid_tbl_len")
                .field("MAX_MESSAGE_BYTES", "max_msg_sz")
                .field("LOCAL_IDENTIFIER", "lid")
                .field("ACTIVE_WIDTH", "active_width")
                .field("ACTIVE_SPEED", "active_speed")
                .field("LINK_LAYER", "link_layer")
                .constant("INFINIBAND", "IBV_LINK_LAYER_INFINIBAND")
                .constant("ETHERNET", "IBV_LINK_LAYER_ETHERNET");
        headers.struct(GidEntryDescriptor.class, "struct ibv_gid_entry")
                .size("SIZE")
                .field("GID", "gid")
                .field("INDEX", "gid_index")
                .field("PORT_NUMBER", "port_num")
                .field("TYPE", "gid_type")
                .field("INTERFACE_INDEX", "ndev_ifindex")
                .constant("ROCE_V1", "IBV_GID_TYPE_ROCE_V1")
                .constant("ROCE_V2", "IBV_GID_TYPE_ROCE_V2");
        headers.struct(AsyncEventDescriptor.class, "struct ibv_async_event")
                .size("SIZE")
                .field("ELEMENT", "element")
                .field("TYPE", "event_type");

        headers.assertEqual(directory);
    }

    @Test
    void objectsOfTheLibraryAreLaidOutAsInTheHeaders() throws Exception {
        headers.struct(ContextDescriptor.class, "struct ibv_context")
                .field("DEVICE", "device")
                .field("POLL_COMPLETION_QUEUE", "ops.poll_cq")
                .field("REQUEST_NOTIFICATION", "ops.req_notify_cq")
                .field("POST_SHARED_RECEIVE", "ops.post_srq_recv")
                .field("POST_SEND", "ops.post_send")
                .field("POST_RECEIVE", "ops.post_recv")
                .field("ASYNC_DESCRIPTOR", "async_fd");
        headers.struct(DeviceDescriptor.class, "struct ibv_device")
                .field("NAME", "name")
                .field("DEVICE_NAME", "dev_name");
        headers.struct(QueuePairDescriptor.class, "struct ibv_qp")
                .field("CONTEXT", "context")
                .field("NUMBER", "qp_num")
                .field("STATE", "state");
        headers.struct(MemoryRegionDescriptor.class, "struct ibv_mr")
                .field("LOCAL_KEY", "lkey")
                .field("REMOTE_KEY", "rkey");
        headers.struct(CompletionQueueDescriptor.class, "struct ibv_cq").field("ENTRIES", "cqe");
        headers.struct(CompletionChannelDescriptor.class, "struct ibv_comp_channel")
                .field("DESCRIPTOR", "fd");

        headers.assertEqual(directory);
    }

    @Test
    void numbersOfTheSpiAreTheHeaders() throws Exception {
        for (SendOpcode opcode : SendOpcode.values()) {
            headers.constant(nameOf(opcode), opcode.code());
        }
        for (CompletionOpcode opcode : CompletionOpcode.values()) {
            if (opcode != CompletionOpcode.UNKNOWN) {
                headers.constant(nameOf(opcode), opcode.code());
            }
        }
        headers.constant("IBV_WC_SUCCESS", CompletionStatus.SUCCESS.code())
                .constant("IBV_WC_LOC_LEN_ERR", CompletionStatus.LOCAL_LENGTH_ERROR.code())
                .constant("IBV_WC_LOC_PROT_ERR", CompletionStatus.LOCAL_PROTECTION_ERROR.code())
                .constant("IBV_WC_WR_FLUSH_ERR", CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code())
                .constant("IBV_WC_REM_ACCESS_ERR", CompletionStatus.REMOTE_ACCESS_ERROR.code())
                .constant("IBV_WC_RETRY_EXC_ERR", CompletionStatus.RETRY_EXCEEDED_ERROR.code())
                .constant(
                        "IBV_WC_RNR_RETRY_EXC_ERR",
                        CompletionStatus.RNR_RETRY_EXCEEDED_ERROR.code())
                .constant("IBV_WC_GENERAL_ERR", CompletionStatus.GENERAL_ERROR.code());
        headers.constant("IBV_SEND_FENCE", SendFlags.FENCE)
                .constant("IBV_SEND_SIGNALED", SendFlags.SIGNALED)
                .constant("IBV_SEND_SOLICITED", SendFlags.SOLICITED)
                .constant("IBV_SEND_INLINE", SendFlags.INLINE);
        headers.constant("IBV_ACCESS_LOCAL_WRITE", AccessFlag.LOCAL_WRITE.mask())
                .constant("IBV_ACCESS_REMOTE_WRITE", AccessFlag.REMOTE_WRITE.mask())
                .constant("IBV_ACCESS_REMOTE_READ", AccessFlag.REMOTE_READ.mask())
                .constant("IBV_ACCESS_REMOTE_ATOMIC", AccessFlag.REMOTE_ATOMIC.mask());
        headers.constant("IBV_QPS_RESET", QueuePairState.RESET.code())
                .constant("IBV_QPS_INIT", QueuePairState.INIT.code())
                .constant("IBV_QPS_RTR", QueuePairState.READY_TO_RECEIVE.code())
                .constant("IBV_QPS_RTS", QueuePairState.READY_TO_SEND.code())
                .constant("IBV_QPS_SQD", QueuePairState.SEND_QUEUE_DRAINED.code())
                .constant("IBV_QPS_SQE", QueuePairState.SEND_QUEUE_ERROR.code())
                .constant("IBV_QPS_ERR", QueuePairState.ERROR.code());
        headers.constant("IBV_MTU_256", PathMtu.MTU_256.code())
                .constant("IBV_MTU_4096", PathMtu.MTU_4096.code())
                .constant("IBV_PORT_DOWN", PortState.DOWN.code())
                .constant("IBV_PORT_ACTIVE", PortState.ACTIVE.code());

        headers.assertEqual(directory);
    }

    private static String nameOf(SendOpcode opcode) {
        return switch (opcode) {
            case RDMA_WRITE -> "IBV_WR_RDMA_WRITE";
            case RDMA_WRITE_WITH_IMMEDIATE -> "IBV_WR_RDMA_WRITE_WITH_IMM";
            case SEND -> "IBV_WR_SEND";
            case SEND_WITH_IMMEDIATE -> "IBV_WR_SEND_WITH_IMM";
            case RDMA_READ -> "IBV_WR_RDMA_READ";
            case ATOMIC_COMPARE_AND_SWAP -> "IBV_WR_ATOMIC_CMP_AND_SWP";
            case ATOMIC_FETCH_AND_ADD -> "IBV_WR_ATOMIC_FETCH_AND_ADD";
        };
    }

    private static String nameOf(CompletionOpcode opcode) {
        return switch (opcode) {
            case SEND -> "IBV_WC_SEND";
            case RDMA_WRITE -> "IBV_WC_RDMA_WRITE";
            case RDMA_READ -> "IBV_WC_RDMA_READ";
            case COMPARE_AND_SWAP -> "IBV_WC_COMP_SWAP";
            case FETCH_AND_ADD -> "IBV_WC_FETCH_ADD";
            case RECEIVE -> "IBV_WC_RECV";
            case RECEIVE_RDMA_WITH_IMMEDIATE -> "IBV_WC_RECV_RDMA_WITH_IMM";
            case UNKNOWN -> throw new IllegalArgumentException("no number of the headers'");
        };
    }

    /// They are told apart by their place in the enum.
    @Test
    void typesOfAsynchronousEventsAreInTheHeadersOrder() throws Exception {
        List<String> names =
                List.of(
                        "CQ_ERR",
                        "QP_FATAL",
                        "QP_REQ_ERR",
                        "QP_ACCESS_ERR",
                        "COMM_EST",
                        "SQ_DRAINED",
                        "PATH_MIG",
                        "PATH_MIG_ERR",
                        "DEVICE_FATAL",
                        "PORT_ACTIVE",
                        "PORT_ERR",
                        "LID_CHANGE",
                        "PKEY_CHANGE",
                        "SM_CHANGE",
                        "SRQ_ERR",
                        "SRQ_LIMIT_REACHED",
                        "QP_LAST_WQE_REACHED",
                        "CLIENT_REREGISTER",
                        "GID_CHANGE");
        List<AsyncEvent.Type> types = List.of(AsyncEvent.Type.values());
        org.assertj.core.api.Assertions.assertThat(types).hasSize(names.size() + 1); // UNKNOWN
        for (int i = 0; i < names.size(); i++) {
            headers.constant("IBV_EVENT_" + names.get(i), i);
        }
        headers.assertEqual(directory);
    }
}
