package io.rdmanet.internal.setup;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.setup.HandshakeRecord.Offer;
import io.rdmanet.internal.setup.HandshakeRecord.Ready;
import io.rdmanet.internal.setup.HandshakeRecord.Reason;
import io.rdmanet.internal.setup.HandshakeRecord.Refusal;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The layout of the records that two ends exchange over TCP. Network order; every record is
/// [#LENGTH] bytes, unused bytes are 0.
///
/// ```
///   0              8        10    11    12        14        16
///  +--------------+--------+-----+-----+---------+---------+
///  | magic        |version |kind |role | length  | 0       |   prefix, the same in each version
///  +--------------+--------+-----+-----+---------+---------+
///  OFFER
///  16       20       24             40      42     44   45   46   47   48     50     52
///  +--------+--------+--------------+-------+------+----+----+----+----+------+------+
///  | number | psn    | GID          |gid idx| LID  |port|mtu |gid |link|reads | 0    |
///  |        |        |              |       |      |    |code|type|    |atomic|      |
///  +--------+--------+--------------+-------+------+----+----+----+----+------+------+
///  52              56
///  +---------------+
///  | receive depth |
///  +---------------+
///  REFUSAL, the same in each version
///  16       18            20
///  +--------+-------------+-----------------------------+
///  | reason | text length | text, UTF-8                 |
///  +--------+-------------+-----------------------------+
///  READY: nothing after the prefix
/// ```
///
/// Prefix and REFUSAL never change, so that ends of different versions can tell each other so.
public final class HandshakeRecordDescriptor {
    /// The version this end speaks. It covers what follows the exchange, too:
    ///
    /// 1. frames with a header of 8 bytes before the payload
    /// 2. headers in immediate data, `keeps` in a raw HELLO
    public static final int VERSION = 2;

    /// The length of each record of this version, and of the REFUSAL of each version.
    public static final int LENGTH = 256;

    /// The length of the prefix.
    public static final int PREFIX_LENGTH = 16;

    /// The first bytes of each record. The last one tells a text mode apart (as in PNG).
    private static final byte[] MAGIC = {'r', 'd', 'm', 'a', 'n', 'e', 't', '\n'};

    static final int VERSION_OFFSET = 8;
    static final int KIND_OFFSET = 10;
    static final int ROLE_OFFSET = 11;
    static final int LENGTH_OFFSET = 12;

    static final int NUMBER_OFFSET = 16;
    static final int PACKET_SEQUENCE_OFFSET = 20;
    static final int GID_OFFSET = 24;
    static final int GID_INDEX_OFFSET = 40;
    static final int LOCAL_IDENTIFIER_OFFSET = 42;
    static final int PORT_OFFSET = 44;
    static final int MTU_OFFSET = 45;
    static final int GID_TYPE_OFFSET = 46;
    static final int LINK_LAYER_OFFSET = 47;
    static final int MAX_READ_ATOMIC_OFFSET = 48;
    static final int RECEIVE_DEPTH_OFFSET = 52;

    static final int REASON_OFFSET = 16;
    static final int TEXT_LENGTH_OFFSET = 18;
    static final int TEXT_OFFSET = 20;

    static final int KIND_OFFER = 1;
    static final int KIND_READY = 2;
    static final int KIND_REFUSAL = 3;

    private static final int MAX_TEXT_LENGTH = LENGTH - TEXT_OFFSET;

    private HandshakeRecordDescriptor() {}

    /// The record in bytes; a fresh array.
    public static byte[] encode(HandshakeRecord record) {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH).put(0, MAGIC);
        bytes.putShort(LENGTH_OFFSET, (short) LENGTH);
        switch (record) {
            case Offer offer -> encodeOffer(bytes, offer);
            case Ready ready -> encodePrefix(bytes, VERSION, KIND_READY, ready.role().code());
            case Refusal refusal -> encodeRefusal(bytes, refusal);
        }
        return bytes.array();
    }

    private static void encodePrefix(ByteBuffer bytes, int version, int kind, int roleCode) {
        bytes.putShort(VERSION_OFFSET, (short) version)
                .put(KIND_OFFSET, (byte) kind)
                .put(ROLE_OFFSET, (byte) roleCode);
    }

    private static void encodeOffer(ByteBuffer bytes, Offer offer) {
        encodePrefix(bytes, VERSION, KIND_OFFER, offer.role().code());
        QueuePairEnd end = offer.end();
        bytes.putInt(NUMBER_OFFSET, end.queuePairNumber())
                .putInt(PACKET_SEQUENCE_OFFSET, end.packetSequence())
                .put(GID_OFFSET, end.gid().toBytes())
                .putShort(GID_INDEX_OFFSET, (short) end.gidIndex())
                .putShort(LOCAL_IDENTIFIER_OFFSET, (short) end.localIdentifier())
                .put(PORT_OFFSET, (byte) end.portNumber())
                .put(MTU_OFFSET, (byte) end.activeMtu().code())
                .put(GID_TYPE_OFFSET, (byte) gidTypeCode(end.gidType()))
                .put(LINK_LAYER_OFFSET, (byte) linkLayerCode(end.linkLayer()))
                .putShort(MAX_READ_ATOMIC_OFFSET, (short) end.maxReadAtomic())
                .putInt(RECEIVE_DEPTH_OFFSET, offer.receiveDepth());
    }

    private static void encodeRefusal(ByteBuffer bytes, Refusal refusal) {
        encodePrefix(bytes, refusal.version(), KIND_REFUSAL, refusal.roleCode());
        byte[] text = refusal.text().getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MAX_TEXT_LENGTH);
        bytes.putShort(REASON_OFFSET, (short) refusal.reason().code())
                .putShort(TEXT_LENGTH_OFFSET, (short) length)
                .put(TEXT_OFFSET, text, 0, length);
    }

    /// How many of the first bytes are as they must be, so that strangers are known by their first
    /// byte, without waiting for more.
    ///
    /// @param count how many bytes there are so far
    /// @return whether they may begin a record
    public static boolean mayBegin(byte[] bytes, int count) {
        int compared = Math.min(count, MAGIC.length);
        return Arrays.equals(bytes, 0, compared, MAGIC, 0, compared);
    }

    /// The version in a prefix.
    public static int version(byte[] prefix) {
        return ByteBuffer.wrap(prefix).getShort(VERSION_OFFSET) & 0xffff;
    }

    /// The role in a prefix, as the number on the wire.
    public static int roleCode(byte[] prefix) {
        return prefix[ROLE_OFFSET] & 0xff;
    }

    /// Whether a prefix is that of a refusal, which can be decoded whatever its version.
    public static boolean isRefusal(byte[] prefix) {
        return prefix[KIND_OFFSET] == KIND_REFUSAL;
    }

    /// Decodes a record.
    ///
    /// @param bytes [#LENGTH] bytes that begin with the magic, of this version or a refusal
    /// @throws ProtocolViolationException naming the field that is out of range
    public static HandshakeRecord decode(byte[] bytes) throws ProtocolViolationException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int kind = bytes[KIND_OFFSET];
        int length = buffer.getShort(LENGTH_OFFSET) & 0xffff;
        if (length != LENGTH) {
            throw new ProtocolViolationException(
                    "handshake record says that it has " + length + " bytes, not " + LENGTH);
        }
        return switch (kind) {
            case KIND_OFFER -> decodeOffer(buffer);
            case KIND_READY -> new Ready(role(buffer));
            case KIND_REFUSAL -> decodeRefusal(bytes);
            default ->
                    throw new ProtocolViolationException(
                            "handshake record is of the unknown kind " + kind);
        };
    }

    private static Offer decodeOffer(ByteBuffer bytes) throws ProtocolViolationException {
        byte[] gid = new byte[GlobalIdentifier.LENGTH];
        bytes.get(GID_OFFSET, gid);
        int mtuCode = bytes.get(MTU_OFFSET);
        if (mtuCode < PathMtu.MTU_256.code() || mtuCode > PathMtu.MTU_4096.code()) {
            throw new ProtocolViolationException("handshake record has the MTU code " + mtuCode);
        }
        int receiveDepth = bytes.getInt(RECEIVE_DEPTH_OFFSET);
        if (receiveDepth < 0) {
            throw new ProtocolViolationException(
                    "handshake record has the receive depth " + receiveDepth);
        }
        try {
            QueuePairEnd end =
                    new QueuePairEnd(
                            bytes.getInt(NUMBER_OFFSET),
                            bytes.getInt(PACKET_SEQUENCE_OFFSET),
                            GlobalIdentifier.of(gid),
                            bytes.getShort(GID_INDEX_OFFSET) & 0xffff,
                            gidType(bytes.get(GID_TYPE_OFFSET)),
                            bytes.getShort(LOCAL_IDENTIFIER_OFFSET) & 0xffff,
                            bytes.get(PORT_OFFSET) & 0xff,
                            PathMtu.ofCode(mtuCode),
                            linkLayer(bytes.get(LINK_LAYER_OFFSET)),
                            bytes.getShort(MAX_READ_ATOMIC_OFFSET) & 0xffff);
            return new Offer(role(bytes), receiveDepth, end);
        } catch (IllegalArgumentException outOfRange) {
            throw new ProtocolViolationException("handshake record: " + outOfRange.getMessage());
        }
    }

    private static Refusal decodeRefusal(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int length = Math.min(buffer.getShort(TEXT_LENGTH_OFFSET) & 0xffff, MAX_TEXT_LENGTH);
        return new Refusal(
                version(bytes),
                roleCode(bytes),
                Reason.of(buffer.getShort(REASON_OFFSET) & 0xffff),
                printable(new String(bytes, TEXT_OFFSET, length, StandardCharsets.UTF_8)));
    }

    /// What a stranger sent must not steer the terminal it is printed on.
    static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    private static Role role(ByteBuffer bytes) throws ProtocolViolationException {
        int code = bytes.get(ROLE_OFFSET) & 0xff;
        for (Role role : Role.values()) {
            if (role.code() == code) {
                return role;
            }
        }
        throw new ProtocolViolationException("handshake record has the " + Role.describe(code));
    }

    private static int gidTypeCode(GidType type) {
        return switch (type) {
            case INFINIBAND -> 0;
            case ROCE_V1 -> 1;
            case ROCE_V2 -> 2;
        };
    }

    private static GidType gidType(int code) {
        return switch (code) {
            case 0 -> GidType.INFINIBAND;
            case 1 -> GidType.ROCE_V1;
            case 2 -> GidType.ROCE_V2;
            default -> throw new IllegalArgumentException("unknown GID type " + code);
        };
    }

    private static int linkLayerCode(LinkLayer layer) {
        return switch (layer) {
            case UNSPECIFIED -> 0;
            case INFINIBAND -> 1;
            case ETHERNET -> 2;
            case SHARED_MEMORY -> 3;
        };
    }

    private static LinkLayer linkLayer(int code) {
        return switch (code) {
            case 0 -> LinkLayer.UNSPECIFIED;
            case 1 -> LinkLayer.INFINIBAND;
            case 2 -> LinkLayer.ETHERNET;
            case 3 -> LinkLayer.SHARED_MEMORY;
            default -> throw new IllegalArgumentException("unknown link layer " + code);
        };
    }
}
