package io.rdmanet.loopback.link;

import java.nio.ByteBuffer;

/// The messages on a link between two devices: 64 bytes each, in network order.
///
/// ```
///  0               4       5       6       8                              16
/// +---------------+-------+-------+-------+------------------------------+
/// | magic "rdml"  |version| type  | code  | id: instance, or request     |
/// +---------------+-------+-------+-------+------------------------------+
///  16              20              24                                    32
/// +---------------+---------------+--------------------------------------+
/// | remote key    | status        | address, or a reply's value          |
/// +---------------+---------------+--------------------------------------+
///  32                              40                                    48
/// +-------------------------------+--------------------------------------+
/// | length                        | first operand                        |
/// +-------------------------------+--------------------------------------+
///  48                              56              60                    64
/// +-------------------------------+---------------+----------------------+
/// | second operand                | queue pair    | zero                 |
/// +-------------------------------+---------------+----------------------+
///
/// IDENTIFY first in each direction: the sender's instance
/// WAKE     queue pair
/// REQUEST  code, request, remote key, address, length, operands, queue pair
/// REPLY    request, status, value
/// ```
final class LinkMessageDescriptor {
    static final int LENGTH = 64;
    static final int MAGIC = 0x7264_6d6c;
    static final int VERSION = 1;

    static final int IDENTIFY = 1;
    static final int WAKE = 2;
    static final int REQUEST = 3;
    static final int REPLY = 4;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 4;
    static final int TYPE_OFFSET = 5;
    static final int CODE_OFFSET = 6;
    static final int ID_OFFSET = 8;
    static final int REMOTE_KEY_OFFSET = 16;
    static final int STATUS_OFFSET = 20;
    static final int ADDRESS_OFFSET = 24;
    static final int LENGTH_OFFSET = 32;
    static final int FIRST_OPERAND_OFFSET = 40;
    static final int SECOND_OPERAND_OFFSET = 48;
    static final int QUEUE_PAIR_OFFSET = 56;
    static final int ZERO_OFFSET = 60;

    private LinkMessageDescriptor() {}

    static void putIdentify(ByteBuffer buffer, int offset, long instance) {
        begin(buffer, offset, IDENTIFY);
        buffer.putLong(offset + ID_OFFSET, instance);
    }

    static void putWake(ByteBuffer buffer, int offset, int queuePairNumber) {
        begin(buffer, offset, WAKE);
        buffer.putInt(offset + QUEUE_PAIR_OFFSET, queuePairNumber);
    }

    static void putRequest(ByteBuffer buffer, int offset, long id, RemoteOperation operation) {
        begin(buffer, offset, REQUEST);
        buffer.putShort(offset + CODE_OFFSET, (short) operation.code());
        buffer.putLong(offset + ID_OFFSET, id);
        buffer.putInt(offset + REMOTE_KEY_OFFSET, operation.remoteKey());
        buffer.putLong(offset + ADDRESS_OFFSET, operation.address());
        buffer.putLong(offset + LENGTH_OFFSET, operation.length());
        buffer.putLong(offset + FIRST_OPERAND_OFFSET, operation.firstOperand());
        buffer.putLong(offset + SECOND_OPERAND_OFFSET, operation.secondOperand());
        buffer.putInt(offset + QUEUE_PAIR_OFFSET, operation.queuePairNumber());
    }

    static void putReply(ByteBuffer buffer, int offset, long id, int status, long value) {
        begin(buffer, offset, REPLY);
        buffer.putLong(offset + ID_OFFSET, id);
        buffer.putInt(offset + STATUS_OFFSET, status);
        buffer.putLong(offset + ADDRESS_OFFSET, value);
    }

    static int magic(ByteBuffer buffer, int offset) {
        return buffer.getInt(offset + MAGIC_OFFSET);
    }

    static int version(ByteBuffer buffer, int offset) {
        return buffer.get(offset + VERSION_OFFSET) & 0xff;
    }

    static int type(ByteBuffer buffer, int offset) {
        return buffer.get(offset + TYPE_OFFSET) & 0xff;
    }

    static long id(ByteBuffer buffer, int offset) {
        return buffer.getLong(offset + ID_OFFSET);
    }

    static int status(ByteBuffer buffer, int offset) {
        return buffer.getInt(offset + STATUS_OFFSET);
    }

    static long value(ByteBuffer buffer, int offset) {
        return buffer.getLong(offset + ADDRESS_OFFSET);
    }

    static int queuePairNumber(ByteBuffer buffer, int offset) {
        return buffer.getInt(offset + QUEUE_PAIR_OFFSET);
    }

    static RemoteOperation operation(ByteBuffer buffer, int offset) {
        return new RemoteOperation(
                buffer.getShort(offset + CODE_OFFSET) & 0xffff,
                buffer.getInt(offset + QUEUE_PAIR_OFFSET),
                buffer.getInt(offset + REMOTE_KEY_OFFSET),
                buffer.getLong(offset + ADDRESS_OFFSET),
                buffer.getLong(offset + LENGTH_OFFSET),
                buffer.getLong(offset + FIRST_OPERAND_OFFSET),
                buffer.getLong(offset + SECOND_OPERAND_OFFSET));
    }

    /// Writes what all types share, and zeros: a buffer is used again and again.
    private static void begin(ByteBuffer buffer, int offset, int type) {
        buffer.putInt(offset + MAGIC_OFFSET, MAGIC);
        buffer.put(offset + VERSION_OFFSET, (byte) VERSION);
        buffer.put(offset + TYPE_OFFSET, (byte) type);
        buffer.putShort(offset + CODE_OFFSET, (short) 0);
        for (int i = ID_OFFSET; i < LENGTH; i += Long.BYTES) {
            buffer.putLong(offset + i, 0);
        }
    }
}
