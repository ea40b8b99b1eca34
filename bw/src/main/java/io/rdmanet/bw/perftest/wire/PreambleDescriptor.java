package io.rdmanet.bw.perftest.wire;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.verbs.PathMtu;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// Layout of the four messages that open every exchange.
///
/// ```
/// version      16 bytes   ASCII, NUL padded       36 2e 30 36 00 ...   "6.06"
/// cycle buffer  4 bytes   big-endian              00 00 10 00          4096
/// cache line    4 bytes   big-endian              00 00 00 40          64
/// MTU           2 bytes   ASCII digit and NUL     33 00                3: 1024 bytes
/// ```
///
/// Of cycle buffer and cache line each end uses the larger value, of the MTU the smaller one.
public final class PreambleDescriptor {
    /// Bytes of the version.
    public static final int VERSION_LENGTH = 16;

    /// Bytes of each of the two sizes.
    public static final int SIZE_LENGTH = Integer.BYTES;

    /// Bytes of the MTU.
    public static final int MTU_LENGTH = 2;

    /// What this end says of its cycle buffer: the page size, as the C tools do.
    public static final int CYCLE_BUFFER_BYTES = 4096;

    /// What this end says of its cache line.
    public static final int CACHE_LINE_BYTES = 64;

    /// More than any machine has; beyond that it is garbage that would be allocated.
    private static final int MAX_SIZE_BYTES = 1 << 24;

    private PreambleDescriptor() {}

    /// A version as it travels.
    public static byte[] encodeVersion(PerftestVersion version) {
        return Arrays.copyOf(
                version.toString().getBytes(StandardCharsets.US_ASCII), VERSION_LENGTH);
    }

    /// The peer's version.
    ///
    /// @throws ProtocolViolationException if it is none, so that the peer is no such tool
    public static PerftestVersion decodeVersion(byte[] message) throws ProtocolViolationException {
        int end = 0;
        while (end < message.length && message[end] != 0) {
            end++;
        }
        try {
            return PerftestVersion.parse(new String(message, 0, end, StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException noVersion) {
            throw garbage("a version like 6.06", message);
        }
    }

    /// A size as it travels.
    public static byte[] encodeSize(int bytes) {
        return ByteBuffer.allocate(SIZE_LENGTH).putInt(bytes).array();
    }

    /// One of the peer's sizes.
    ///
    /// @throws ProtocolViolationException if no machine has such a size
    public static int decodeSize(byte[] message) throws ProtocolViolationException {
        int bytes = ByteBuffer.wrap(message).getInt();
        if (bytes < 1 || bytes > MAX_SIZE_BYTES) {
            throw garbage("a size of 1 byte to 16 MiB", message);
        }
        return bytes;
    }

    /// An MTU as it travels.
    public static byte[] encodeMtu(PathMtu mtu) {
        return new byte[] {(byte) ('0' + mtu.code()), 0};
    }

    /// The peer's MTU.
    ///
    /// @throws ProtocolViolationException if there is no such MTU
    public static PathMtu decodeMtu(byte[] message) throws ProtocolViolationException {
        try {
            return PathMtu.ofCode(message[0] - '0');
        } catch (IllegalArgumentException none) {
            throw garbage("an MTU, one digit from 1 to 5", message);
        }
    }

    private static ProtocolViolationException garbage(String expected, byte[] message) {
        return new ProtocolViolationException(
                "the peer does not speak perftest: expected "
                        + expected
                        + ", got the bytes "
                        + HexFormat.ofDelimiter(" ").formatHex(message));
    }
}
