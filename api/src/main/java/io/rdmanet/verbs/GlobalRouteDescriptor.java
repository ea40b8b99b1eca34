package io.rdmanet.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// What precedes the payload of a received datagram in its buffer: the global route header (GRH;
/// InfiniBand specification, 8.3), from which an answer finds its way back. On RoCE it is the
/// packet's IP header; one of IPv4 fills the last 20 bytes and leaves the others undefined.
///
/// ```
///  0                    8                    24                   40
/// +--------------------+--------------------+--------------------+
/// | 6, class, flow,    | source GID         | destination GID    |  IPv6
/// | length, next, hops |                    |                    |
/// +--------------------+--------+-----------+--------+-----+-----+
/// | undefined                   | 4, ... protocol    | src | dst |  IPv4
/// +-----------------------------+--------------------+-----+-----+
///  0                             20                   32    36    40
/// ```
public final class GlobalRouteDescriptor {
    /// Bytes of a header, whether it is of IPv6 or IPv4.
    public static final int BYTES = 40;

    private static final int SOURCE_OFFSET = 8;
    private static final int DESTINATION_OFFSET = 24;
    private static final int IPV4_OFFSET = 20;
    private static final int IPV4_SOURCE_OFFSET = 32;
    private static final int IPV4_DESTINATION_OFFSET = 36;

    private static final int VERSION_SHIFT = 4;
    private static final int IPV6_VERSION = 6;
    private static final int IPV4_VERSION = 4;

    /// Version 4 and a header of five words, the only length on RoCE.
    private static final int IPV4_FIRST_BYTE = 0x45;

    private static final int IPV4_WORDS = 10;
    private static final int CORRECT_CHECKSUM = 0xffff;
    private static final long IPV4_MAPPED_PREFIX = 0xffffL << Integer.SIZE;

    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private GlobalRouteDescriptor() {}

    /// The GID of the port a datagram came from.
    ///
    /// @param buffer where it was received
    /// @param offset where its receive begins in there, in bytes
    /// @throws IllegalArgumentException if there is no global route; see
    ///   [PollCompletions#hasGlobalRoute(int)]
    public static GlobalIdentifier source(MemorySegment buffer, long offset) {
        return gid(buffer, offset, SOURCE_OFFSET, IPV4_SOURCE_OFFSET);
    }

    /// The GID of the port a datagram was sent to; on IPv4 mapped into IPv6, like the source.
    ///
    /// @throws IllegalArgumentException if there is no global route
    public static GlobalIdentifier destination(MemorySegment buffer, long offset) {
        return gid(buffer, offset, DESTINATION_OFFSET, IPV4_DESTINATION_OFFSET);
    }

    private static GlobalIdentifier gid(
            MemorySegment buffer, long offset, int ipv6Offset, int ipv4Offset) {
        if (isIpv4(buffer, offset)) {
            long address = Integer.toUnsignedLong(buffer.get(INT, offset + ipv4Offset));
            return new GlobalIdentifier(0, IPV4_MAPPED_PREFIX | address);
        }
        if (version(buffer, offset) != IPV6_VERSION) {
            throw new IllegalArgumentException(
                    "no global route at offset " + offset + ": neither IPv6 nor IPv4 is there");
        }
        return new GlobalIdentifier(
                buffer.get(LONG, offset + ipv6Offset),
                buffer.get(LONG, offset + ipv6Offset + Long.BYTES));
    }

    /// The undefined bytes before an IPv4 header may look like IPv6, and the middle of an IPv6
    /// header like IPv4: only a checksum tells them apart, as in `ibv_init_ah_from_wc`.
    private static boolean isIpv4(MemorySegment buffer, long offset) {
        if (version(buffer, offset) != IPV6_VERSION) {
            return version(buffer, offset + IPV4_OFFSET) == IPV4_VERSION;
        }
        if (unsignedByte(buffer, offset + IPV4_OFFSET) != IPV4_FIRST_BYTE) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < IPV4_WORDS; i++) {
            sum += buffer.get(SHORT, offset + IPV4_OFFSET + (long) i * Short.BYTES) & 0xffff;
        }
        return (sum & 0xffff) + (sum >>> Short.SIZE) == CORRECT_CHECKSUM;
    }

    private static int version(MemorySegment buffer, long offset) {
        return unsignedByte(buffer, offset) >>> VERSION_SHIFT;
    }

    private static int unsignedByte(MemorySegment buffer, long offset) {
        return buffer.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
    }
}
