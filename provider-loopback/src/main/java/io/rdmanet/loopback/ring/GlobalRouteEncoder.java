package io.rdmanet.loopback.ring;

import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.GlobalRouteDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Writes what precedes the payload of a datagram: an IPv6 header, as of RoCE v1. The figure is in
/// [GlobalRouteDescriptor].
public final class GlobalRouteEncoder {
    private static final int LENGTH_OFFSET = 4;
    private static final int NEXT_HEADER_OFFSET = 6;
    private static final int HOP_LIMIT_OFFSET = 7;
    private static final int SOURCE_OFFSET = 8;
    private static final int DESTINATION_OFFSET = 24;

    private static final byte VERSION_6 = 0x60;

    /// The base transport header of InfiniBand comes next.
    private static final byte NEXT_HEADER = 0x1b;

    private static final byte HOP_LIMIT = 64;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private GlobalRouteEncoder() {}

    /// A header of a datagram without payload.
    public static MemorySegment route(GlobalIdentifier source, GlobalIdentifier destination) {
        MemorySegment route = MemorySegment.ofArray(new byte[GlobalRouteDescriptor.BYTES]);
        route.set(ValueLayout.JAVA_BYTE, 0, VERSION_6);
        route.set(ValueLayout.JAVA_BYTE, NEXT_HEADER_OFFSET, NEXT_HEADER);
        route.set(ValueLayout.JAVA_BYTE, HOP_LIMIT_OFFSET, HOP_LIMIT);
        MemorySegment.copy(
                MemorySegment.ofArray(source.toBytes()),
                0,
                route,
                SOURCE_OFFSET,
                GlobalIdentifier.LENGTH);
        MemorySegment.copy(
                MemorySegment.ofArray(destination.toBytes()),
                0,
                route,
                DESTINATION_OFFSET,
                GlobalIdentifier.LENGTH);
        return route;
    }

    /// Says how long the payload is.
    public static void setLength(MemorySegment route, int payloadBytes) {
        route.set(SHORT, LENGTH_OFFSET, (short) payloadBytes);
    }
}
