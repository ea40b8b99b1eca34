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

    /// What the user called a request that has completed. To be followed by [#freeThrough(int)],
    /// once for several, which lets its room be used again.
    ///
    /// @param position the low half of its identifier
    abstract long complete(int position);

    /// Frees the room of requests that have completed: of the one at a position, and of those
    /// before it, which must have, too.
    ///
    /// @param position the last that [#complete(int)] was called for
    abstract void freeThrough(int position);

    /// Requests that have not completed, as the posting thread sees it.
    abstract int outstanding();

    /// Whether a request that uses a resource has not completed.
    abstract boolean isOutstanding(ResourceUse use);
}
