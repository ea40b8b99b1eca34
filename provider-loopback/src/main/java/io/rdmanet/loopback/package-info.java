/// The loopback device: what a network card does, done in shared memory.
///
/// Reading order: [io.rdmanet.loopback.LoopbackQueuePair] and behind it
/// [io.rdmanet.loopback.QueuePairWork] (what is posted, executed and polled) and
/// [io.rdmanet.loopback.QueuePairControl] (the states); [io.rdmanet.loopback.SendLoop] with
/// [io.rdmanet.loopback.SendEngine] (a connection's sends) and
/// [io.rdmanet.loopback.DatagramDestination] (a datagram's way); [io.rdmanet.loopback.ReceiveQueue]
/// (receives of one connection) and [io.rdmanet.loopback.ReceivePool] with
/// [io.rdmanet.loopback.PooledReceives] (receives that several may take).
package io.rdmanet.loopback;
