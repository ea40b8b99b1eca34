package io.rdmanet.loopback;

import java.lang.foreign.MemorySegment;

/// The receives of one life of a queue pair: in a ring of its own, or out of a pool.
///
/// One thread at a time posts, and one at a time polls; the rest is for any thread.
sealed interface Receives permits ReceiveQueue, PooledReceives {
    /// Takes over prepared receives as far as there is room, and shows them to the peer.
    ///
    /// @return how many were taken
    int post(LoopbackPostReceive receive, int first, int count);

    /// Takes the completions that the peer has written.
    ///
    /// @param count how many completions `into` has already
    /// @return how many it has now
    int poll(LoopbackPollCompletions into, int count, int queuePairNumber);

    /// Takes what is left as flushed. The peer must have stopped writing.
    int flush(LoopbackPollCompletions into, int count, int queuePairNumber);

    /// Completions that were written and not taken, counted up to a limit. For the polling thread.
    long waitingCompletions(int limit);

    /// Whether there may be something to be polled or flushed.
    boolean hasOutstanding();

    /// Whether a receive of the queue pair's own that was not polled names the region.
    boolean uses(LoopbackMemoryRegion region);

    /// Whether the peer may be writing to a receive.
    ///
    /// @param position the receive's position, or its slot in a pool
    boolean isOutstanding(long position);

    /// Copies data of a message to where its receive says, for a peer that cannot reach it.
    ///
    /// @param skip where in the message the data belongs
    void scatter(long position, long skip, MemorySegment source, long length);

    /// Lets go of everything: the queue pair's life has ended, and nobody writes any more.
    void close();
}
