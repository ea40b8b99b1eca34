package io.rdmanet.bw.latency;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.bw.run.Buffers;
import io.rdmanet.bw.run.Mode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What a latency client asks of its server: the first message on a connection.
///
/// ```
/// 0        8         12     16     20      24
/// +--------+---------+------+------+-------+--------+
/// | magic  | version | mode | size | batch | verify |   network order
/// +--------+---------+------+------+-------+--------+
/// ```
///
/// @param mode the tier by which the server answers, too
/// @param size bytes of each message
/// @param batch messages of each round
/// @param verify whether payloads are checked
record LatencyRequest(Mode mode, int size, int batch, boolean verify) {
    /// Length in bytes.
    static final int LENGTH = 28;

    /// `RBWLATCY`.
    private static final long MAGIC = 0x5242574c41544359L;

    private static final int VERSION = 1;
    private static final int MAX_BATCH = 16384;

    byte[] encode() {
        return ByteBuffer.allocate(LENGTH)
                .putLong(MAGIC)
                .putInt(VERSION)
                .putInt(code(mode))
                .putInt(size)
                .putInt(batch)
                .putInt(verify ? 1 : 0)
                .array();
    }

    /// Reads a request.
    ///
    /// @throws ProtocolViolationException if it is none
    static LatencyRequest decode(byte[] message) throws ProtocolViolationException {
        ByteBuffer fields = ByteBuffer.wrap(message);
        if (message.length != LENGTH || fields.getLong() != MAGIC) {
            throw new ProtocolViolationException(
                    "the client is not rdmanet-bw lat: use lat on both ends, or on neither");
        }
        int version = fields.getInt();
        if (version != VERSION) {
            throw new ProtocolViolationException(
                    "the client has version "
                            + version
                            + " of the latency test, this end "
                            + VERSION
                            + ": use the same rdmanet-bw on both ends");
        }
        Mode mode = mode(fields.getInt());
        int size = fields.getInt();
        int batch = fields.getInt();
        if (mode == null
                || size < 1
                || size > Buffers.MAX_ZERO_COPY_BYTES
                || batch < 1
                || batch > MAX_BATCH
                || Buffers.count(batch, size) < batch) {
            throw new ProtocolViolationException(
                    "the client asks for what does not exist: " + size + " bytes by " + batch);
        }
        return new LatencyRequest(mode, size, batch, fields.getInt() != 0);
    }

    private static int code(Mode mode) {
        return switch (mode) {
            case MSG -> 1;
            case BATCH -> 2;
            case ZERO_COPY -> 3;
            case RAW -> 4;
        };
    }

    private static @Nullable Mode mode(int code) {
        for (Mode mode : Mode.values()) {
            if (code(mode) == code && mode != Mode.RAW) {
                return mode;
            }
        }
        return null;
    }
}
