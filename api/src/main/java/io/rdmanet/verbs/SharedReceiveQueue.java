package io.rdmanet.verbs;

/// A receive queue that several queue pairs take their receives from (`struct ibv_srq`).
///
/// The caller closes it, after its queue pairs. One thread at a time may execute its receives.
public interface SharedReceiveQueue extends AutoCloseable {
    /// The domain it belongs to.
    ProtectionDomain protectionDomain();

    /// Receives that can be outstanding.
    int maxReceives();

    /// Prepares receives, like [QueuePair#preparePostReceive].
    PostReceive preparePostReceive(int maxScatterGather, int capacity) throws VerbsException;

    /// Asks for one [AsyncEvent.Type#SHARED_RECEIVE_QUEUE_LIMIT] when fewer receives are left.
    void arm(int limit) throws VerbsException;

    /// Destroys the queue.
    ///
    /// @throws IllegalStateException while a queue pair uses it
    @Override
    void close();
}
