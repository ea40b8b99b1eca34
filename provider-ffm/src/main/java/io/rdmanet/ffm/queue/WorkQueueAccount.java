package io.rdmanet.ffm.queue;

import io.rdmanet.internal.provider.Account;

/// What is outstanding on one queue of work: how much room is left, what the user called each
/// request, and (see [NamedResource]) which memory may not be closed yet.
///
/// The device gets identifiers of ours, `wr_id`:
///
/// ```
///  63                    52           32                         0
/// +---------------------+------------+--------------------------+
/// | generation          | index      | position or slot         |
/// +---------------------+------------+--------------------------+
///    number of the account              in the account
/// ```
///
/// From them a completion finds its account in the `AccountTable` and the user's identifier there.
/// So a full queue is told in the same way on every device; and completions of a queue that was
/// destroyed, or reset, are told from those of its successor.
abstract sealed class WorkQueueAccount extends Account permits OrderedAccount, SlotAccount {
    private final WorkQueue.Owner owner;

    /// @param owner the queue pair or shared receive queue, for messages
    WorkQueueAccount(WorkQueue.Owner owner) {
        this.owner = owner;
    }

    final WorkQueue.Owner owner() {
        return owner;
    }

    /// Takes up as many requests of a chain as there is room for, and writes their identifiers.
    ///
    /// @return how many
    abstract int begin(RequestChain chain, int first, int count);

    /// Takes back what [#begin] has taken up last and the device did not accept.
    ///
    /// @param count how many, the last ones of the chain
    abstract void withdraw(RequestChain chain, int first, int count);

    /// Frees the room of a request that has completed (and of those before it that must have).
    ///
    /// @param position the low half of its identifier
    /// @return what the user called it
    abstract long complete(int position);

    /// Requests that have not completed, as the posting thread sees it.
    abstract int outstanding();

    /// Whether a request that uses a resource has not completed.
    abstract boolean isOutstanding(ResourceUse use);
}
