package io.rdmanet.bw.run;

/// What client and server of the tool say to each other between runs over a [io.rdmanet.Conn].
/// [ControlDescriptor] has the layout.
sealed interface ControlRecord {
    /// Client: these are the slots that the coming runs want on both ends.
    ///
    /// @param slotBytes payload of one frame
    /// @param depth credit window
    /// @param maxMessageBytes longest message
    record Setup(int slotBytes, int depth, int maxMessageBytes) implements ControlRecord {}

    /// Server's answer to [Setup].
    ///
    /// @param port where it waits with such slots, or 0 to go on with this connection
    /// @param slotBytes the slots it has on this connection
    /// @param depth the window it has on this connection
    record Settled(int port, int slotBytes, int depth) implements ControlRecord {}

    /// Client: a run follows: its messages, then an empty one.
    ///
    /// @param mode how to receive: not [Mode#RAW]
    /// @param size bytes of each message, 1 and more
    /// @param batch messages per call, 1 and more
    /// @param count how many, or 0 for as many as come
    /// @param seed of the payload, with `verify`
    /// @param index number of the run on this connection, from 0
    /// @param warmUp whether nobody wants to know the figures
    /// @param verify whether to check the payload
    record Run(
            Mode mode,
            int size,
            int batch,
            long count,
            long seed,
            int index,
            boolean warmUp,
            boolean verify)
            implements ControlRecord {}

    /// Server's answer to the end of a run.
    ///
    /// @param messages messages received
    /// @param bytes their length together
    /// @param badMessages those of a wrong length or, with `verify`, content
    /// @param nanos from the first message to the end of the run
    record Done(long messages, long bytes, long badMessages, long nanos) implements ControlRecord {}
}
