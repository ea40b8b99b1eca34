/// The verbs objects on libibverbs: contexts, memory, queues.
///
/// Reading order. Control: [io.rdmanet.ffm.queue.FfmContext] and what it makes;
/// `FfmProtectionDomain`, `FfmMemoryRegion`, `FfmQueuePair`, `FfmCompletionQueue`,
/// `FfmCompletionChannel`; `AsyncEvents`. Parents and children are counted in `ChildCount` of
/// `io.rdmanet.internal.provider`.
///
/// Data: `FfmPostSend` and `FfmPostReceive` write into a `RequestChain`, which a `WorkQueue` posts;
/// `FfmPollCompletions` polls a `PolledQueue`. Between them stand the accounts
/// (`WorkQueueAccount`): they give the device identifiers of ours, know how much room a queue has,
/// and what it still uses (`NamedResource`). `ExecutionGuard` keeps both from using what is being
/// destroyed.
///
/// Four rules hold here:
///
/// - The device never sees an identifier of the user's. So a completion finds its account, and that
///   of a queue which is no more finds none.
/// - Nothing is freed that the device may still reach: memory after its region, a region after the
///   work that names it, a native object after the thread that is inside a call of it.
/// - What the data path needs, it finds in fields and native memory; what is rare (a reset, a
///   close, a failure) pays for that.
/// - Whatever is read from a file descriptor is acknowledged at once, because destroying waits for
///   it.
package io.rdmanet.ffm.queue;
