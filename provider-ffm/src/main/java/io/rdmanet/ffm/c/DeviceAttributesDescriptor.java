package io.rdmanet.ffm.c;

/// `struct ibv_device_attr`
/// ([ibv_query_device(3)](https://man7.org/linux/man-pages/man3/ibv_query_device.3.html)), the
/// fields we use:
///
/// ```
///  0               64    80            88    96          100   108      112         116   120
/// +---------------+-----+-------------+-----+-----------+-----+--------+-----------+-----+
/// | fw_ver        | ... | max_mr_size | ... | vendor_id | ... | max_qp | max_qp_wr | ... |
/// +---------------+-----+-------------+-----+-----------+-----+--------+-----------+-----+
/// | max_sge | ... | max_cq | max_cqe | max_mr | ... | max_qp_rd_atom | ... | atomic_cap | ...
/// +---------+-----+--------+---------+--------+-----+----------------+-----+------------+---
///  120             128      132       136      140   144                    164
///                                                       227 phys_port_cnt (1 byte) ... 232
/// ```
public final class DeviceAttributesDescriptor {
    public static final int SIZE = 232;
    public static final int FIRMWARE = 0;
    public static final int MAX_MEMORY_REGION_BYTES = 80;
    public static final int VENDOR_ID = 96;
    public static final int MAX_QUEUE_PAIRS = 108;
    public static final int MAX_WORK_REQUESTS = 112;
    public static final int MAX_SCATTER_GATHER = 120;
    public static final int MAX_COMPLETION_QUEUES = 128;
    public static final int MAX_COMPLETION_QUEUE_ENTRIES = 132;
    public static final int MAX_MEMORY_REGIONS = 136;
    public static final int MAX_READ_ATOMIC = 144;
    public static final int ATOMIC_CAPABILITY = 164;
    public static final int PHYSICAL_PORTS = 227;

    /// `IBV_ATOMIC_NONE`.
    public static final int NO_ATOMICS = 0;

    private DeviceAttributesDescriptor() {}
}
