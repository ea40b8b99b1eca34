package io.rdmanet.bw.run;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.bw.run.ControlRecord.Done;
import io.rdmanet.bw.run.ControlRecord.Run;
import io.rdmanet.bw.run.ControlRecord.Settled;
import io.rdmanet.bw.run.ControlRecord.Setup;
import java.nio.ByteBuffer;

/// Layout of the control records that travel as messages of a [io.rdmanet.Conn] between runs.
///
/// ```
///           0       4       6      7        8       12      16
///           +-------+-------+------+--------+-------+-------+
/// all       | magic |version| kind | mode   |               |  network order, 64 bytes
///           +-------+-------+------+--------+-------+-------+
/// 1 SETUP                                   | slot  | depth |
///           | maximum message |   zeros                     |
/// 2 SETTLED                                 | slot  | depth |
///           | port    |   zeros                             |
/// 3 RUN                                     | size  | batch |
///        16 | count (8)       | seed (8)                    |
///        32 | index   | flags |   zeros                     |
/// 4 DONE                                    |   zeros       |
///        16 | messages (8)    | bytes (8)                   |
///        32 | bad (8)         | nanos (8)                   |
///           +-----------------+-----------------------------+
/// flags: WARM_UP 1, VERIFY 2
/// ```
///
/// A client sends SETUP before the first run of each size and RUN before each run. The run's
/// messages follow, then an empty one; then the server answers with DONE, which confirms that
/// everything has arrived. It ends by closing the connection.
final class ControlDescriptor {
    /// Length of every record in bytes.
    static final int LENGTH = 64;

    /// `RBWC`.
    static final int MAGIC = 0x52425743;

    /// Both ends must have the same.
    static final int VERSION = 1;

    private static final int MAGIC_OFFSET = 0;
    private static final int VERSION_OFFSET = 4;
    private static final int KIND_OFFSET = 6;
    private static final int MODE_OFFSET = 7;
    private static final int FIRST_OFFSET = 8;
    private static final int SECOND_OFFSET = 12;
    private static final int THIRD_OFFSET = 16;
    private static final int COUNT_OFFSET = 16;
    private static final int SEED_OFFSET = 24;
    private static final int INDEX_OFFSET = 32;
    private static final int FLAGS_OFFSET = 36;
    private static final int MESSAGES_OFFSET = 16;
    private static final int BYTES_OFFSET = 24;
    private static final int BAD_OFFSET = 32;
    private static final int NANOS_OFFSET = 40;

    private static final byte SETUP = 1;
    private static final byte SETTLED = 2;
    private static final byte RUN = 3;
    private static final byte DONE = 4;

    private static final int WARM_UP = 1;
    private static final int VERIFY = 2;

    private ControlDescriptor() {}

    /// The record as a message.
    static byte[] encode(ControlRecord record) {
        ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
        buffer.putInt(MAGIC_OFFSET, MAGIC).putShort(VERSION_OFFSET, (short) VERSION);
        switch (record) {
            case Setup setup ->
                    buffer.put(KIND_OFFSET, SETUP)
                            .putInt(FIRST_OFFSET, setup.slotBytes())
                            .putInt(SECOND_OFFSET, setup.depth())
                            .putInt(THIRD_OFFSET, setup.maxMessageBytes());
            case Settled settled ->
                    buffer.put(KIND_OFFSET, SETTLED)
                            .putInt(FIRST_OFFSET, settled.slotBytes())
                            .putInt(SECOND_OFFSET, settled.depth())
                            .putInt(THIRD_OFFSET, settled.port());
            case Run run ->
                    buffer.put(KIND_OFFSET, RUN)
                            .put(MODE_OFFSET, (byte) run.mode().code())
                            .putInt(FIRST_OFFSET, run.size())
                            .putInt(SECOND_OFFSET, run.batch())
                            .putLong(COUNT_OFFSET, run.count())
                            .putLong(SEED_OFFSET, run.seed())
                            .putInt(INDEX_OFFSET, run.index())
                            .putInt(
                                    FLAGS_OFFSET,
                                    (run.warmUp() ? WARM_UP : 0) | (run.verify() ? VERIFY : 0));
            case Done done ->
                    buffer.put(KIND_OFFSET, DONE)
                            .putLong(MESSAGES_OFFSET, done.messages())
                            .putLong(BYTES_OFFSET, done.bytes())
                            .putLong(BAD_OFFSET, done.badMessages())
                            .putLong(NANOS_OFFSET, done.nanos());
        }
        return buffer.array();
    }

    /// The record in a message.
    ///
    /// @throws ProtocolViolationException if it is none, or holds what cannot be
    static ControlRecord decode(byte[] message) throws ProtocolViolationException {
        if (message.length != LENGTH) {
            throw new ProtocolViolationException(
                    "a message of "
                            + message.length
                            + " bytes came instead of a control record of "
                            + LENGTH
                            + ": the peer is not rdmanet-bw");
        }
        ByteBuffer buffer = ByteBuffer.wrap(message);
        requireHead(buffer);
        byte kind = buffer.get(KIND_OFFSET);
        return switch (kind) {
            case SETUP ->
                    new Setup(
                            positive(buffer, FIRST_OFFSET, "slotBytes"),
                            positive(buffer, SECOND_OFFSET, "depth"),
                            positive(buffer, THIRD_OFFSET, "maxMessageBytes"));
            case SETTLED -> settled(buffer);
            case RUN -> run(buffer);
            case DONE ->
                    new Done(
                            notNegative(buffer, MESSAGES_OFFSET, "messages"),
                            notNegative(buffer, BYTES_OFFSET, "bytes"),
                            notNegative(buffer, BAD_OFFSET, "badMessages"),
                            notNegative(buffer, NANOS_OFFSET, "nanos"));
            default -> throw new ProtocolViolationException("control record of kind " + kind);
        };
    }

    private static void requireHead(ByteBuffer buffer) throws ProtocolViolationException {
        int magic = buffer.getInt(MAGIC_OFFSET);
        if (magic != MAGIC) {
            throw new ProtocolViolationException(
                    "a message came instead of a control record (magic 0x"
                            + Integer.toHexString(magic)
                            + "): the peer is not rdmanet-bw");
        }
        int version = buffer.getShort(VERSION_OFFSET);
        if (version != VERSION) {
            throw new ProtocolViolationException(
                    "the peer's rdmanet-bw speaks version "
                            + version
                            + " of the control records, this one "
                            + VERSION
                            + ": use the same release on both ends");
        }
    }

    private static Settled settled(ByteBuffer buffer) throws ProtocolViolationException {
        int port = buffer.getInt(THIRD_OFFSET);
        if (port < 0 || port > 0xffff) {
            throw new ProtocolViolationException("control record with port " + port);
        }
        return new Settled(
                port,
                positive(buffer, FIRST_OFFSET, "slotBytes"),
                positive(buffer, SECOND_OFFSET, "depth"));
    }

    private static Run run(ByteBuffer buffer) throws ProtocolViolationException {
        Mode mode;
        try {
            mode = Mode.ofConnCode(buffer.get(MODE_OFFSET));
        } catch (IllegalArgumentException e) {
            throw new ProtocolViolationException("control record with " + e.getMessage());
        }
        int flags = buffer.getInt(FLAGS_OFFSET);
        int size = positive(buffer, FIRST_OFFSET, "size");
        if (size > Buffers.MAX_MESSAGE_BYTES) {
            // It would be allocated.
            throw new ProtocolViolationException("control record with size " + size);
        }
        return new Run(
                mode,
                size,
                positive(buffer, SECOND_OFFSET, "batch"),
                notNegative(buffer, COUNT_OFFSET, "count"),
                buffer.getLong(SEED_OFFSET),
                buffer.getInt(INDEX_OFFSET),
                (flags & WARM_UP) != 0,
                (flags & VERIFY) != 0);
    }

    private static int positive(ByteBuffer buffer, int offset, String name)
            throws ProtocolViolationException {
        int value = buffer.getInt(offset);
        if (value < 1) {
            throw new ProtocolViolationException("control record with " + name + " " + value);
        }
        return value;
    }

    private static long notNegative(ByteBuffer buffer, int offset, String name)
            throws ProtocolViolationException {
        long value = buffer.getLong(offset);
        if (value < 0) {
            throw new ProtocolViolationException("control record with " + name + " " + value);
        }
        return value;
    }
}
