package io.rdmanet.verbs;

import org.jspecify.annotations.Nullable;

/// Where completion queues report that there is something to poll (`struct ibv_comp_channel`).
///
/// The caller closes it, after its completion queues. One thread at a time may wait; that thread
/// may be virtual.
///
/// To lose nothing: [CompletionQueue#requestNotification], then poll until empty, and only then
/// wait. Events that were taken need no acknowledgement: the wait does that.
public interface CompletionChannel extends AutoCloseable {
    /// The device it belongs to.
    Context context();

    /// Waits for an event. Closing the channel, interrupting the thread or [#wakeUp()] ends the
    /// wait early.
    ///
    /// @param timeoutNanos how long to wait at most; 0 takes an event that is there and never
    ///   blocks
    /// @return the queue to poll, or null if there was no event in time, or the thread is
    ///   interrupted, which it stays
    @Nullable CompletionQueue awaitEvent(long timeoutNanos) throws VerbsException;

    /// Ends the wait of the thread that is waiting now, or the next wait if there is none.
    void wakeUp();

    /// Closes the channel.
    ///
    /// @throws IllegalStateException while a completion queue uses it
    @Override
    void close();
}
