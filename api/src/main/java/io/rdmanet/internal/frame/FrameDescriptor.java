package io.rdmanet.internal.frame;

/// The header of a frame: the immediate data of the SEND that carries the frame's payload.
///
/// ```
///  31    28 27   24 23             16 15                              0
/// +--------+-------+-----------------+---------------------------------+
/// | 0      | flags | ctl acks        | credits                         |
/// +--------+-------+-----------------+---------------------------------+
/// ```
///
/// - flags: [FrameFlags]
/// - ctl acks: control frames of the peer that were consumed and whose receives are posted again
///   since the last frame this way
/// - credits: data frames of the peer likewise
///
/// Immediate data comes with the completion, which the receiver reads anyway. So a header costs no
/// memory traffic (eight bytes before each payload used to be a cache line of their own, that went
/// from core to core and back), and a frame without payload is an empty SEND. How long the payload
/// is says the device; the peer is not asked, and need not be believed.
///
/// A receive may also be used up by an RDMA WRITE with immediate data. It cannot have a payload,
/// since the peer may write to no region of this end's, and so is no different from an empty SEND.
public final class FrameDescriptor {
    /// The most credits one header returns.
    public static final int MAX_CREDITS = 0xffff;

    /// The most control frames one header acknowledges.
    public static final int MAX_CONTROL_ACKS = 0xff;

    private static final int CONTROL_ACKS_SHIFT = 16;
    private static final int FLAGS_SHIFT = 24;
    private static final int FLAGS_MASK = 0xf;
    private static final int RESERVED_MASK = 0xf000_0000;

    private FrameDescriptor() {}

    /// A header.
    ///
    /// @param flags [FrameFlags]
    /// @param controlAcks 0 to [#MAX_CONTROL_ACKS]
    /// @param credits 0 to [#MAX_CREDITS]
    public static int encode(int flags, int controlAcks, int credits) {
        return flags << FLAGS_SHIFT | controlAcks << CONTROL_ACKS_SHIFT | credits;
    }

    /// The flags of a header.
    public static int flags(int header) {
        return header >>> FLAGS_SHIFT & FLAGS_MASK;
    }

    /// The acknowledged control frames of a header.
    public static int controlAcks(int header) {
        return header >>> CONTROL_ACKS_SHIFT & MAX_CONTROL_ACKS;
    }

    /// The credits of a header.
    public static int credits(int header) {
        return header & MAX_CREDITS;
    }

    /// What is wrong with a frame that arrived, or an empty string. Credits and acknowledgements
    /// are judged by the flow control, order by the receiver.
    ///
    /// @param hasHeader whether immediate data came with it
    /// @param header the immediate data; ignored if there is none
    /// @param byteLength how many bytes the device says arrived
    /// @param slotBytes the most payload a slot takes
    public static String fault(boolean hasHeader, int header, int byteLength, int slotBytes) {
        if (!hasHeader) {
            return "a frame of "
                    + byteLength
                    + " bytes arrived without its header, which is the immediate data";
        }
        if ((header & RESERVED_MASK) != 0) {
            return "a frame with reserved bits in its header arrived: 0x"
                    + Integer.toHexString(header);
        }
        int flags = flags(header);
        if (!FrameFlags.areLegal(flags)) {
            return "a frame of a kind that does not exist arrived: flags 0x"
                    + Integer.toHexString(flags);
        }
        if (byteLength < 0 || byteLength > slotBytes) {
            return "a frame of "
                    + Integer.toUnsignedString(byteLength)
                    + " bytes arrived; a slot takes "
                    + slotBytes;
        }
        return switch (flags) {
            case FrameFlags.MORE ->
                    byteLength == 0 ? "an empty frame claims that more follows" : "";
            case FrameFlags.CREDIT, FrameFlags.FIN ->
                    byteLength == 0
                            ? ""
                            : "a control frame arrived with " + byteLength + " bytes of payload";
            case FrameFlags.HELLO ->
                    byteLength == HelloDescriptor.LENGTH
                            ? ""
                            : "a hello record of "
                                    + byteLength
                                    + " bytes arrived, not "
                                    + HelloDescriptor.LENGTH;
            default -> "";
        };
    }
}
