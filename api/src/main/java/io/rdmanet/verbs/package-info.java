/// The verbs SPI: RDMA verbs as Java objects, implemented by providers and used by `io.rdmanet`.
///
/// The names are the verbs specification's, in full. The manner is that of jVerbs: a call is
/// *prepared* once, changed in place and *executed* many times, so that the data path neither
/// allocates nor serialises anything twice.
///
/// Reading order: [io.rdmanet.verbs.VerbsProvider] (what a provider is and how it is chosen),
/// [io.rdmanet.verbs.Context] (an open device), [io.rdmanet.verbs.ProtectionDomain] and
/// [io.rdmanet.verbs.MemoryRegion] (memory), [io.rdmanet.verbs.QueuePair] with
/// [io.rdmanet.verbs.PostSend] and [io.rdmanet.verbs.PostReceive] (work),
/// [io.rdmanet.verbs.CompletionQueue] with [io.rdmanet.verbs.PollCompletions] (what came of it),
/// [io.rdmanet.verbs.ConnectionManager] (rdma_cm); beside the connections
/// [io.rdmanet.verbs.AddressHandle] (datagrams) and [io.rdmanet.verbs.SharedReceiveQueue].
///
/// **Errors** are of three kinds. Expected outcomes of the data path are values (a full queue
/// accepts fewer requests). Operating errors are [io.rdmanet.verbs.VerbsException] and its
/// subclasses. Mistakes of the caller are `IllegalArgumentException` or `IllegalStateException`,
/// thrown before anything has changed.
///
/// **Ownership** is a tree: a child knows its parent, a parent with open children refuses to close
/// (`IllegalStateException`), and `close()` may be called any number of times. The order is queue
/// pair, completion queue and shared receive queue, completion channel, memory region and address
/// handle, protection domain, context.
///
/// **Threads**: control calls may come from any thread. On the data path one thread at a time may
/// execute sends of one queue pair, one thread at a time its receives, and one thread at a time
/// poll one completion queue; these three may be three different threads.
package io.rdmanet.verbs;
