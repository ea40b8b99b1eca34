package io.rdmanet.internal.setup;

import io.rdmanet.internal.setup.HandshakeRecord.Reason;
import io.rdmanet.internal.setup.HandshakeRecord.Refusal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The layout of what rides on rdma_cm's own messages, where the provider lets anything ride.
/// Network order. The reader ignores what follows, since connection managers pad with zeros.
///
/// ```
///  with a request                          with a rejection
///  0       4       6      7      8   12    0       4       6      7        8
///  +-------+-------+------+------+---+     +-------+-------+------+--------+-------------+
///  | magic |version| role | 0    |dep|     | magic |version| role | reason | text, UTF-8 |
///  |       |       |      |      |th |     |       |       |      |        | to a 0      |
///  +-------+-------+------+------+---+     +-------+-------+------+--------+-------------+
/// ```
///
/// It only brings forward what HELLO, in band, says and checks on every provider: the accepting end
/// can refuse before it takes memory, and learns how many receives to make room for.
final class PrivateDataDescriptor {
    private static final int MAGIC = 'r' << 24 | 'd' << 16 | 'm' << 8 | 'n';

    private static final int VERSION_OFFSET = 4;
    private static final int ROLE_OFFSET = 6;
    private static final int REASON_OFFSET = 7;
    private static final int DEPTH_OFFSET = 8;
    private static final int TEXT_OFFSET = 8;

    private static final int REQUEST_LENGTH = 12;

    /// What a rejection carries at most (IB_CM_REJ_PRIVATE_DATA_SIZE).
    private static final int MAX_REJECTION_LENGTH = 148;

    private PrivateDataDescriptor() {}

    static byte[] encodeRequest(Role role, int receiveDepth) {
        return ByteBuffer.allocate(REQUEST_LENGTH)
                .putInt(0, MAGIC)
                .putShort(VERSION_OFFSET, (short) HandshakeRecordDescriptor.VERSION)
                .put(ROLE_OFFSET, (byte) role.code())
                .putInt(DEPTH_OFFSET, receiveDepth)
                .array();
    }

    static byte[] encodeRejection(Refusal refusal) {
        byte[] text = refusal.text().getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MAX_REJECTION_LENGTH - TEXT_OFFSET);
        return ByteBuffer.allocate(TEXT_OFFSET + length)
                .putInt(0, MAGIC)
                .putShort(VERSION_OFFSET, (short) refusal.version())
                .put(ROLE_OFFSET, (byte) refusal.roleCode())
                .put(REASON_OFFSET, (byte) refusal.reason().code())
                .put(TEXT_OFFSET, text, 0, length)
                .array();
    }

    /// Whether nothing was sent: no bytes, or zeros only.
    static boolean isAbsent(byte[] data) {
        for (byte b : data) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    /// Whether this is a request of rdmanet, of whatever version.
    static boolean isRequest(byte[] data) {
        return data.length >= REQUEST_LENGTH && hasMagic(data);
    }

    static int version(byte[] request) {
        return ByteBuffer.wrap(request).getShort(VERSION_OFFSET) & 0xffff;
    }

    static int roleCode(byte[] request) {
        return request[ROLE_OFFSET] & 0xff;
    }

    /// The depth in a request of this version; not checked.
    static int receiveDepth(byte[] request) {
        return ByteBuffer.wrap(request).getInt(DEPTH_OFFSET);
    }

    /// The refusal in a rejection, or null if it is not one of rdmanet's.
    static @Nullable Refusal decodeRejection(byte[] data) {
        if (data.length < TEXT_OFFSET || !hasMagic(data)) {
            return null;
        }
        int end = TEXT_OFFSET;
        while (end < data.length && data[end] != 0) {
            end++;
        }
        String text = new String(data, TEXT_OFFSET, end - TEXT_OFFSET, StandardCharsets.UTF_8);
        return new Refusal(
                version(data),
                roleCode(data),
                Reason.of(data[REASON_OFFSET] & 0xff),
                HandshakeRecordDescriptor.printable(text));
    }

    private static boolean hasMagic(byte[] data) {
        return ByteBuffer.wrap(data).getInt(0) == MAGIC;
    }
}
