package io.rdmanet.loopback.connection;

import io.rdmanet.loopback.connection.ConnectionRecord.Refusal;
import io.rdmanet.loopback.connection.ConnectionRecord.Step;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// The records between two connection managers: 280 bytes each, in network order.
///
/// ```
///  0               4       6   7   8                             16
/// +---------------+-------+---+---+-----------------------------+
/// | magic "rdmc"  |version|stp|rfs| instance                    |
/// +---------------+-------+---+---+-----------------------------+
///  16              20              24  25  26  27  28      30    32
/// +---------------+---------------+---+---+---+---+-------+-----+
/// | queue pair    | packet seq.   |rsp|ini|rty|rnr|length | 0   |
/// +---------------+---------------+---+---+---+---+-------+-----+
///  32      34      36                                           52
/// +-------+-------+---------------------------------------------+
/// |family | port  | source address (IPv4: the first 4 bytes)    |
/// +-------+-------+---------------------------------------------+
///  52      54      56                                           72
/// +-------+-------+---------------------------------------------+
/// |family | port  | destination address                         |
/// +-------+-------+---------------------------------------------+
///  72                                                          268   280
/// +------------------------------------------------------------+-----+
/// | private data, `length` bytes of it valid                   | 0   |
/// +------------------------------------------------------------+-----+
///
/// stp  ConnectionRecord.Step      rsp responder resources   rty retry count
/// rfs  ConnectionRecord.Refusal   ini initiator depth       rnr RNR retry count
/// family 4 or 6
/// ```
final class ConnectionRecordDescriptor {
    static final int LENGTH = 280;
    static final int MAGIC = 0x7264_6d63;
    static final int VERSION = 1;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 4;
    static final int STEP_OFFSET = 6;
    static final int REFUSAL_OFFSET = 7;
    static final int INSTANCE_OFFSET = 8;
    static final int QUEUE_PAIR_OFFSET = 16;
    static final int PACKET_SEQUENCE_OFFSET = 20;
    static final int RESPONDER_RESOURCES_OFFSET = 24;
    static final int INITIATOR_DEPTH_OFFSET = 25;
    static final int RETRY_COUNT_OFFSET = 26;
    static final int RNR_RETRY_COUNT_OFFSET = 27;
    static final int PRIVATE_DATA_LENGTH_OFFSET = 28;
    static final int SOURCE_OFFSET = 32;
    static final int DESTINATION_OFFSET = 52;
    static final int PRIVATE_DATA_OFFSET = 72;

    private static final int PORT_OFFSET = 2;
    private static final int ADDRESS_OFFSET = 4;
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int IPV4_LENGTH = 4;
    private static final int IPV6_LENGTH = 16;
    private static final int MAX_24_BITS = 0xff_ffff;
    private static final int MAX_RETRIES = 7;

    private ConnectionRecordDescriptor() {}

    /// A record in bytes, ready to be written.
    static ByteBuffer encode(ConnectionRecord record) {
        ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
        buffer.putInt(MAGIC_OFFSET, MAGIC);
        buffer.putShort(VERSION_OFFSET, (short) VERSION);
        buffer.put(STEP_OFFSET, (byte) record.step().code);
        buffer.put(REFUSAL_OFFSET, (byte) record.refusal().code);
        buffer.putLong(INSTANCE_OFFSET, record.instance());
        buffer.putInt(QUEUE_PAIR_OFFSET, record.queuePairNumber());
        buffer.putInt(PACKET_SEQUENCE_OFFSET, record.packetSequenceNumber());
        buffer.put(RESPONDER_RESOURCES_OFFSET, (byte) record.responderResources());
        buffer.put(INITIATOR_DEPTH_OFFSET, (byte) record.initiatorDepth());
        buffer.put(RETRY_COUNT_OFFSET, (byte) record.retryCount());
        buffer.put(RNR_RETRY_COUNT_OFFSET, (byte) record.rnrRetryCount());
        buffer.putShort(PRIVATE_DATA_LENGTH_OFFSET, (short) record.privateData().length);
        putAddress(buffer, SOURCE_OFFSET, record.source());
        putAddress(buffer, DESTINATION_OFFSET, record.destination());
        buffer.put(PRIVATE_DATA_OFFSET, record.privateData());
        return buffer;
    }

    /// The record that lies in the first [#LENGTH] bytes.
    ///
    /// @throws RecordException if it is none, of another version, or says what cannot be
    static ConnectionRecord decode(ByteBuffer buffer) throws RecordException {
        checkHeader(buffer);
        Step step = step(unsigned(buffer, STEP_OFFSET));
        Refusal refusal = refusal(unsigned(buffer, REFUSAL_OFFSET));
        if (step == Step.REJECTION == (refusal == Refusal.NONE)) {
            throw garbage(step + " with refusal " + refusal);
        }
        return new ConnectionRecord(
                step,
                refusal,
                buffer.getLong(INSTANCE_OFFSET),
                atMost(MAX_24_BITS, buffer.getInt(QUEUE_PAIR_OFFSET), "queue pair"),
                atMost(MAX_24_BITS, buffer.getInt(PACKET_SEQUENCE_OFFSET), "packet sequence"),
                unsigned(buffer, RESPONDER_RESOURCES_OFFSET),
                unsigned(buffer, INITIATOR_DEPTH_OFFSET),
                atMost(MAX_RETRIES, unsigned(buffer, RETRY_COUNT_OFFSET), "retry count"),
                atMost(MAX_RETRIES, unsigned(buffer, RNR_RETRY_COUNT_OFFSET), "RNR retry count"),
                address(buffer, SOURCE_OFFSET),
                address(buffer, DESTINATION_OFFSET),
                privateData(buffer, step));
    }

    private static void checkHeader(ByteBuffer buffer) throws RecordException {
        int magic = buffer.getInt(MAGIC_OFFSET);
        if (magic != MAGIC) {
            throw garbage("magic 0x" + Integer.toHexString(magic));
        }
        int version = buffer.getShort(VERSION_OFFSET) & 0xffff;
        if (version != VERSION) {
            throw new RecordException(
                    "the peer's connection manager has version "
                            + version
                            + ", this one "
                            + VERSION
                            + ": use the same release at both ends",
                    true);
        }
    }

    private static byte[] privateData(ByteBuffer buffer, Step step) throws RecordException {
        int length = buffer.getShort(PRIVATE_DATA_LENGTH_OFFSET) & 0xffff;
        byte[] data = new byte[atMost(step.maxPrivateData, length, "private data length")];
        buffer.get(PRIVATE_DATA_OFFSET, data);
        return data;
    }

    private static void putAddress(ByteBuffer buffer, int offset, InetSocketAddress address) {
        InetAddress host = address.getAddress();
        buffer.putShort(offset, (short) (host instanceof Inet4Address ? IPV4 : IPV6));
        buffer.putShort(offset + PORT_OFFSET, (short) address.getPort());
        buffer.put(offset + ADDRESS_OFFSET, host.getAddress());
    }

    private static InetSocketAddress address(ByteBuffer buffer, int offset) throws RecordException {
        int family = buffer.getShort(offset) & 0xffff;
        byte[] bytes = new byte[IPV6_LENGTH];
        buffer.get(offset + ADDRESS_OFFSET, bytes);
        int length =
                switch (family) {
                    case IPV4 -> IPV4_LENGTH;
                    case IPV6 -> IPV6_LENGTH;
                    default -> throw garbage("address family " + family);
                };
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(Arrays.copyOf(bytes, length)),
                    buffer.getShort(offset + PORT_OFFSET) & 0xffff);
        } catch (UnknownHostException impossible) {
            throw new AssertionError("the length is right", impossible);
        }
    }

    private static Step step(int code) throws RecordException {
        for (Step step : Step.values()) {
            if (step.code == code) {
                return step;
            }
        }
        throw garbage("step " + code);
    }

    private static Refusal refusal(int code) throws RecordException {
        for (Refusal refusal : Refusal.values()) {
            if (refusal.code == code) {
                return refusal;
            }
        }
        throw garbage("refusal " + code);
    }

    private static int unsigned(ByteBuffer buffer, int offset) {
        return buffer.get(offset) & 0xff;
    }

    private static int atMost(int max, int value, String name) throws RecordException {
        if (value < 0 || value > max) {
            throw garbage(name + " " + value);
        }
        return value;
    }

    private static RecordException garbage(String what) {
        return new RecordException("not a connection manager's record: " + what, false);
    }
}
