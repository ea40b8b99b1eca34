package io.rdmanet.verbs;

/// A prepared poll of one completion queue, and what it found.
///
/// Completions are read by index, `0` to what [#execute()] returned minus 1, and only until the
/// next execution: no object is made per completion. An index outside gives
/// `IndexOutOfBoundsException`. Belongs to one thread at a time. Needs no closing.
public interface PollCompletions {
    /// The most completions one execution takes.
    int capacity();

    /// Takes what has completed. Never blocks.
    ///
    /// @return how many completions there are to read, 0 if nothing has completed
    /// @throws VerbsException if the queue itself has failed, by an overrun for instance
    int execute() throws VerbsException;

    /// The identifier the request was posted with. Defined for failed completions, too.
    long workRequestId(int index);

    /// How the request ended.
    CompletionStatus status(int index);

    /// The provider's number for [#status(int)].
    int statusCode(int index);

    /// Whether the request succeeded.
    boolean succeeded(int index);

    /// What kind of work it was; defined only if it succeeded.
    CompletionOpcode opcode(int index);

    /// Bytes received (or read, for RDMA READ and atomics); defined only if it succeeded. A
    /// datagram counts the [GlobalRouteDescriptor#BYTES] before its payload, too.
    int byteLength(int index);

    /// Whether the peer sent immediate data.
    boolean hasImmediate(int index);

    /// The peer's immediate data as the number it gave; defined only if there is some.
    int immediate(int index);

    /// The number of the queue pair the request was posted to.
    int queuePairNumber(int index);

    /// The queue pair that sent a datagram; defined for UD receives only.
    int sourceQueuePair(int index);

    /// Whether the [GlobalRouteDescriptor#BYTES] before a datagram's payload hold its global route,
    /// as they always do on RoCE; defined for UD receives only.
    boolean hasGlobalRoute(int index);

    /// The device's own error code, 0 if it has none.
    int vendorError(int index);
}
