package io.rdmanet.internal.frame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The header that precedes the payload of every frame, in network order.
///
/// ```
///  0        1            2              4                      7
/// +--------+------------+--------------+-----------------------+
/// | flags  | ctl acks   | credits (u16)| payload length (u32)  |
/// +--------+------------+--------------+-----------------------+
/// ```
///
/// - flags: [FrameFlags]
/// - ctl acks: control frames of the peer that were consumed and whose receives are posted again
///   since the last frame this way
/// - credits: data frames of the peer likewise
/// - payload length: must be what arrived less the header, since it is never trusted
///
/// In a slot the header lies right before a payload that is aligned to a cache line, so that one
/// scatter/gather element covers both and the caller's data is aligned:
///
/// ```
///  0                        56        64                     64 + slotBytes, to a line
/// +------------------------+---------+--------------------------------------+
/// |        unused          | header  | payload                              |
/// +------------------------+---------+--------------------------------------+
/// ```
///
/// A header is handled as one `long`: one load and one store.
public final class FrameDescriptor {
    /// Bytes of a header.
    public static final int HEADER_LENGTH = 8;

    /// Where in its slot a header lies.
    public static final int HEADER_OFFSET = 56;

    /// Where in its slot the payload lies.
    public static final int PAYLOAD_OFFSET = 64;

    /// What slots and payloads are aligned to: a cache line.
    public static final int ALIGNMENT = 64;

    /// The most credits one header returns.
    public static final int MAX_CREDITS = 0xffff;

    /// The most control frames one header acknowledges.
    public static final int MAX_CONTROL_ACKS = 0xff;

    private static final ValueLayout.OfLong HEADER =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private FrameDescriptor() {}

    /// The bytes from one slot to the next.
    ///
    /// @param slotBytes payload of one slot
    public static long stride(int slotBytes) {
        return PAYLOAD_OFFSET + ((slotBytes + (long) ALIGNMENT - 1) & -ALIGNMENT);
    }

    /// A header as a number.
    ///
    /// @param flags [FrameFlags]
    /// @param controlAcks 0 to [#MAX_CONTROL_ACKS]
    /// @param credits 0 to [#MAX_CREDITS]
    /// @param length payload bytes, 0 and more
    public static long encode(int flags, int controlAcks, int credits, int length) {
        return (long) flags << 56 | (long) controlAcks << 48 | (long) credits << 32 | length;
    }

    /// The flags of a header.
    public static int flags(long header) {
        return (int) (header >>> 56);
    }

    /// The acknowledged control frames of a header.
    public static int controlAcks(long header) {
        return (int) (header >>> 48) & MAX_CONTROL_ACKS;
    }

    /// The credits of a header.
    public static int credits(long header) {
        return (int) (header >>> 32) & MAX_CREDITS;
    }

    /// The payload length a header claims, unsigned.
    public static long length(long header) {
        return header & 0xffff_ffffL;
    }

    /// Writes a header.
    ///
    /// @param offset of the header, not of the slot
    public static void write(MemorySegment memory, long offset, long header) {
        memory.set(HEADER, offset, header);
    }

    /// Reads a header.
    ///
    /// @param offset of the header, not of the slot
    public static long read(MemorySegment memory, long offset) {
        return memory.get(HEADER, offset);
    }

    /// What is wrong with a frame that arrived, or an empty string. Credits and acknowledgements
    /// are judged by the flow control, order by the receiver.
    ///
    /// @param header what was read from its first 8 bytes; ignored if fewer arrived
    /// @param byteLength how many bytes the device says arrived
    /// @param slotBytes the most payload a slot takes
    public static String fault(long header, int byteLength, int slotBytes) {
        if (byteLength < HEADER_LENGTH) {
            return "a frame of " + byteLength + " bytes arrived, shorter than its header (8 bytes)";
        }
        int flags = flags(header);
        long length = length(header);
        int arrived = byteLength - HEADER_LENGTH;
        if (!FrameFlags.areLegal(flags)) {
            return "a frame of a kind that does not exist arrived: flags 0x"
                    + Integer.toHexString(flags);
        }
        if (length != arrived) {
            return "a frame claims " + length + " bytes of payload, but " + arrived + " arrived";
        }
        if (arrived > slotBytes) {
            return "a frame of " + arrived + " bytes arrived; a slot takes " + slotBytes;
        }
        return switch (flags) {
            case FrameFlags.MORE -> arrived == 0 ? "an empty frame claims that more follows" : "";
            case FrameFlags.CREDIT, FrameFlags.FIN ->
                    arrived == 0
                            ? ""
                            : "a control frame arrived with " + arrived + " bytes of payload";
            case FrameFlags.HELLO ->
                    arrived == HelloDescriptor.LENGTH
                            ? ""
                            : "a hello record of "
                                    + arrived
                                    + " bytes arrived, not "
                                    + HelloDescriptor.LENGTH;
            default -> "";
        };
    }
}
