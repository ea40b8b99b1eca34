package io.rdmanet.bw.run;

/// How much memory the tool takes for messages. Pure arithmetic.
public final class Buffers {
    /// Buffers begin at cache lines.
    static final long ALIGNMENT = 64;

    /// Slots of both directions of a [io.rdmanet.Conn] together, at most, on each end.
    public static final long MAX_SLOT_BYTES_IN_ALL = 256L << 20;

    /// The longest message of the zero-copy mode: one slot each way is then the most there may be.
    public static final int MAX_ZERO_COPY_BYTES = (int) (MAX_SLOT_BYTES_IN_ALL / 2);

    /// Buffers of a raw end, and those a batch lies in, together at most.
    public static final long MAX_BUFFER_BYTES_IN_ALL = 64L << 20;

    /// The longest message at all.
    public static final int MAX_MESSAGE_BYTES = 1 << 30;

    private static final int MIN_SLOT_BYTES = 64;
    private static final int MAX_FRAGMENT_BYTES = 1 << 20;

    private Buffers() {}

    /// The slot for messages of a size: one message each, up to 1 MiB; longer ones take several,
    /// unless they are not to be copied.
    public static int slotBytes(Mode mode, int size) {
        int largest = mode == Mode.ZERO_COPY ? MAX_ZERO_COPY_BYTES : MAX_FRAGMENT_BYTES;
        return Math.clamp(size, MIN_SLOT_BYTES, largest);
    }

    /// The window that the bound on memory allows.
    ///
    /// @param wanted what the user wants
    public static int depth(int wanted, int slotBytes) {
        return Math.clamp(MAX_SLOT_BYTES_IN_ALL / (2L * slotBytes), 1, wanted);
    }

    /// The line that says that the window was lowered.
    static String depthLowered(int wanted, int depth, int slotBytes) {
        return "depth lowered from "
                + wanted
                + " to "
                + depth
                + ": slots of "
                + slotBytes
                + " bytes would take more than "
                + (MAX_SLOT_BYTES_IN_ALL >> 20)
                + " MiB";
    }

    /// How many buffers of a size the bound on memory allows.
    ///
    /// @param wanted how many would be used
    public static int count(int wanted, int size) {
        return Math.clamp(MAX_BUFFER_BYTES_IN_ALL / size, 1, wanted);
    }
}
