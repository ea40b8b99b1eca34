package io.rdmanet.verbs;

import org.jspecify.annotations.Nullable;

/// A queue pair (`struct ibv_qp`): one queue of sends, one of receives, and the connection.
///
/// The caller closes it, before its completion queues. One thread at a time may execute its sends
/// and one its receives; control calls may come from any thread at any time.
public interface QueuePair extends AutoCloseable {
    /// The domain it belongs to.
    ProtectionDomain protectionDomain();

    /// The 24-bit number peers know it by.
    int number();

    /// Its transport.
    QueuePairType type();

    /// Its state now. A fault can change it at any time.
    QueuePairState state();

    /// Where its sends complete.
    CompletionQueue sendCompletionQueue();

    /// Where its receives complete.
    CompletionQueue receiveCompletionQueue();

    /// The queue it takes receives from, or null if they are posted to itself.
    @Nullable SharedReceiveQueue sharedReceiveQueue();

    /// What its queues hold; at least what was asked for.
    QueuePairCapacity capacity();

    /// Changes state and attributes.
    ///
    /// @throws IllegalStateException if the transition is not one of the specification's or an
    ///   attribute it needs is missing; nothing has changed then
    /// @throws VerbsException if the device refuses
    /// @throws UnsupportedCapabilityException without [Capability#QUEUE_PAIR_MODIFY], except to
    ///   ERROR
    void modify(QueuePairAttributes attributes) throws VerbsException;

    /// The attributes it has now.
    QueuePairAttributes query() throws VerbsException;

    /// Prepares sends of one shape. What is prepared may be executed in any state that allows it,
    /// any number of times.
    ///
    /// @param capacity how many requests it holds, at least 1
    /// @throws IllegalArgumentException if the shape exceeds the queue pair's capacity, or is not
    ///   SEND or SEND_WITH_IMMEDIATE on a queue pair of datagrams
    /// @throws UnsupportedCapabilityException for an opcode the provider does not have
    PostSend preparePostSend(SendShape shape, int capacity) throws VerbsException;

    /// Prepares receives.
    ///
    /// @param maxScatterGather elements per receive, 0 (for peers that send no data) to the limit
    /// @param capacity how many requests it holds, at least 1
    /// @throws IllegalStateException if it takes receives from a shared receive queue: prepare them
    ///   there
    PostReceive preparePostReceive(int maxScatterGather, int capacity) throws VerbsException;

    /// Destroys the queue pair. Outstanding work completes no more, and completions that were not
    /// polled are lost: to see them, [#modify] to ERROR and drain first.
    @Override
    void close();
}
