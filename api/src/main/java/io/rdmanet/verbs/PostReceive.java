package io.rdmanet.verbs;

/// Prepared receives: an array of requests that stays as it is between executions.
///
/// Works like [PostSend]: [#request(int)] moves the cursor, setters change that request in place,
/// [#execute(int, int)] posts. Belongs to one thread at a time; the caller closes it.
public interface PostReceive extends AutoCloseable {
    /// How many elements each request has room for.
    int maxScatterGather();

    /// How many requests it holds.
    int capacity();

    /// Moves the cursor.
    ///
    /// @param index 0 to capacity - 1
    PostReceive request(int index);

    /// The identifier that the completion will carry.
    PostReceive workRequestId(long workRequestId);

    /// Sets one scatter/gather element; they are filled in order. Elements of length 0 count as
    /// absent.
    ///
    /// @param region where the data goes; needs [AccessFlag#LOCAL_WRITE]
    /// @param offset from the region's start, in bytes
    /// @param length in bytes; offset and length must lie inside the region
    PostReceive scatterGather(int element, MemoryRegion region, long offset, int length);

    /// Posts the requests `first` to `first + count - 1` as one chain.
    ///
    /// @return how many were accepted, in order; fewer than `count` means that the receive queue is
    ///   full. Room comes back with each receive's completion.
    /// @throws IllegalStateException unless the state allows receives; nothing was posted then
    /// @throws PostException if a request was refused; those before it were posted
    int execute(int first, int count) throws VerbsException;

    /// Frees what preparation allocated. Posted work goes on.
    @Override
    void close();
}
