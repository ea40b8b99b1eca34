package io.rdmanet.ffm.c;

import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.GlobalIdentifier;

/// `struct ibv_ah_attr` with its `struct ibv_global_route`
/// ([ibv_create_ah(3)](https://man7.org/linux/man-pages/man3/ibv_create_ah.3.html)):
///
/// ```
///  0     16           20           21          22              24     26   27              32
/// +-----+------------+------------+-----------+---------------+------+----+---------------+
/// | dgid| flow_label | sgid_index | hop_limit | traffic_class | dlid | sl | ...           |
/// +-----+------------+------------+-----------+---------------+------+----+---------------+
///                                      27 src_path_bits, 28 static_rate, 29 is_global, 30 port_num
/// ```
public final class AddressVectorDescriptor {
    public static final int SIZE = 32;
    public static final int DESTINATION_GID = 0;
    public static final int SOURCE_GID_INDEX = 20;
    public static final int HOP_LIMIT = 21;
    public static final int TRAFFIC_CLASS = 22;
    public static final int DESTINATION_LOCAL_IDENTIFIER = 24;
    public static final int SERVICE_LEVEL = 26;
    public static final int IS_GLOBAL = 29;
    public static final int PORT_NUMBER = 30;

    private AddressVectorDescriptor() {}

    /// Writes a way. One without a GID is by LID alone, within an InfiniBand subnet.
    public static void set(long descriptor, AddressVector way) {
        NativeMemory.setBytes(descriptor + DESTINATION_GID, way.destinationGid().toBytes());
        NativeMemory.setByte(descriptor + SOURCE_GID_INDEX, way.sourceGidIndex());
        NativeMemory.setByte(descriptor + HOP_LIMIT, way.hopLimit());
        NativeMemory.setByte(descriptor + TRAFFIC_CLASS, way.trafficClass());
        NativeMemory.setShort(
                descriptor + DESTINATION_LOCAL_IDENTIFIER, way.destinationLocalIdentifier());
        NativeMemory.setByte(descriptor + SERVICE_LEVEL, way.serviceLevel());
        NativeMemory.setByte(descriptor + IS_GLOBAL, way.destinationGid().isZero() ? 0 : 1);
        NativeMemory.setByte(descriptor + PORT_NUMBER, way.portNumber());
    }

    /// Reads a way.
    public static AddressVector get(long descriptor) {
        return new AddressVector(
                NativeMemory.unsignedByteAt(descriptor + PORT_NUMBER),
                GlobalIdentifier.of(
                        NativeMemory.bytesAt(
                                descriptor + DESTINATION_GID, GlobalIdentifier.LENGTH)),
                NativeMemory.unsignedByteAt(descriptor + SOURCE_GID_INDEX),
                NativeMemory.unsignedShortAt(descriptor + DESTINATION_LOCAL_IDENTIFIER),
                NativeMemory.unsignedByteAt(descriptor + HOP_LIMIT),
                NativeMemory.unsignedByteAt(descriptor + TRAFFIC_CLASS),
                NativeMemory.unsignedByteAt(descriptor + SERVICE_LEVEL));
    }
}
