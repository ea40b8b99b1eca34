package io.rdmanet.verbs;

/// A receive queue that several queue pairs take their receives from (`struct ibv_srq`).
///
/// The caller closes it, after its queue pairs. One thread at a time may execute its receives; its
/// queue pairs may be used by other threads meanwhile.
///
/// Receives are taken in the order of posting, by whichever queue pair a message reaches, and
/// complete in that queue pair's receive completion queue, with that queue pair's number. Nothing
/// but a message takes one: a queue pair that goes to ERROR or is closed leaves them to the others.
/// What is left when the queue is closed completes no more.
public interface SharedReceiveQueue extends AutoCloseable {
    /// The domain it belongs to, and the memory of its receives, too.
    ProtectionDomain protectionDomain();

    /// What its events name it by ([AsyncEvent#element()]); no other open one of its device has it.
    int number();

    /// Receives that can be outstanding; at least what was asked for. Room comes back when a
    /// message takes a receive, at the latest when that receive's completion is polled.
    int maxReceives();

    /// Elements that each receive can have; at least what was asked for.
    int maxScatterGather();

    /// Prepares receives, like [QueuePair#preparePostReceive]. They may be executed in any state of
    /// the queue pairs, and without any.
    PostReceive preparePostReceive(int maxScatterGather, int capacity) throws VerbsException;

    /// Asks for one [AsyncEvent.Type#SHARED_RECEIVE_QUEUE_LIMIT], when a message takes a receive
    /// and fewer than the limit are left. If fewer are there already, the event may come at once.
    ///
    /// @param limit 1 to [#maxReceives()], or 0 to ask for none
    /// @throws IllegalArgumentException for any other limit
    /// @throws UnsupportedCapabilityException without [Capability#ASYNC_EVENTS]
    void arm(int limit) throws VerbsException;

    /// Destroys the queue.
    ///
    /// @throws IllegalStateException while a queue pair uses it
    @Override
    void close();
}
