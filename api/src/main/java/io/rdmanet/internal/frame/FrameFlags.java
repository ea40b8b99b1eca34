package io.rdmanet.internal.frame;

/// The kinds of frames: four bits of a header ([FrameDescriptor]).
///
/// A frame is exactly one of: data that ends a message ([#LAST]), data with more to follow
/// ([#MORE]), or one of the others. Flags are never combined.
public final class FrameFlags {
    /// Data, and the message ends with it.
    public static final int LAST = 0;

    /// Data, and the message goes on in the next data frame. Never empty.
    public static final int MORE = 1;

    /// Control: returns credits and acknowledges control frames; no payload.
    public static final int CREDIT = 2;

    /// Control: the sender sends no more; no payload.
    public static final int FIN = 4;

    /// The first frame each way; its payload is a [HelloDescriptor] record.
    public static final int HELLO = 8;

    private FrameFlags() {}

    /// Whether a frame with these flags may exist.
    public static boolean areLegal(int flags) {
        return switch (flags) {
            case LAST, MORE, CREDIT, FIN, HELLO -> true;
            default -> false;
        };
    }

    /// Whether the frame carries (a part of) a message, and so uses a data credit.
    public static boolean isData(int flags) {
        return (flags & ~MORE) == 0;
    }

    /// The flags in words, for messages.
    public static String describe(int flags) {
        return switch (flags) {
            case LAST -> "data";
            case MORE -> "data with more to follow";
            case CREDIT -> "credit";
            case FIN -> "end";
            case HELLO -> "hello";
            default -> "unknown (flags 0x" + Integer.toHexString(flags) + ")";
        };
    }
}
