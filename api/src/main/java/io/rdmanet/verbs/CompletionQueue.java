package io.rdmanet.verbs;

import org.jspecify.annotations.Nullable;

/// Where completed work is reported (`struct ibv_cq`).
///
/// The caller closes it, after its queue pairs. One thread at a time may poll it; completions of
/// one queue pair's one queue appear in the order of posting, others in no particular order.
public interface CompletionQueue extends AutoCloseable {
    /// The device it belongs to.
    Context context();

    /// How many completions it holds; at least what was asked for.
    int capacity();

    /// The channel it reports to, or null if it is polled only.
    @Nullable CompletionChannel channel();

    /// Prepares a poll.
    ///
    /// @param capacity the most completions one execution takes, at least 1
    PollCompletions preparePoll(int capacity);

    /// Asks for one event at the channel when the next completion arrives. Completions that are
    /// there already may or may not cause one, so poll again after asking and before waiting.
    ///
    /// @param solicitedOnly wait for a failed completion, or one that its sender marked
    ///   [SendFlags#SOLICITED]
    /// @throws IllegalStateException if the queue has no channel
    void requestNotification(boolean solicitedOnly) throws VerbsException;

    /// Destroys the queue.
    ///
    /// @throws IllegalStateException while a queue pair uses it
    @Override
    void close();
}
