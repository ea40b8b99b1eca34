/// Real RDMA devices through DiSNI: adapters between its classes and the SPI, and nothing else. No
/// type of DiSNI's leaves this package.
///
/// Reading order: [DisniProvider] and [Prerequisites]; [DisniConnectionManager] with [EventChannel]
/// (DiSNI's events, with deadlines of ours) and [DisniConnectionIdentifier]; [DisniQueuePair] with
/// [WorkQueue] and [WorkAccount] (what is outstanding); [SendChains] and [ReceiveChains] (DiSNI's
/// prepared calls); [DisniPollCompletions]; [DisniCompletionChannel].
///
/// The kernel's files tell what DiSNI does not: see [DeviceFacts].
package io.rdmanet.disni;
