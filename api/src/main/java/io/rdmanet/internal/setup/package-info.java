/// How two ends find each other: rdma_cm or an exchange over TCP, behind one pair of interfaces.
///
/// Reading order: [io.rdmanet.internal.setup.Rendezvous] and [io.rdmanet.internal.setup.Link] (a
/// connection on its way, and established), [io.rdmanet.internal.setup.Dialling],
/// [io.rdmanet.internal.setup.TcpRendezvous] with
/// [io.rdmanet.internal.setup.HandshakeRecordDescriptor] (the exchange),
/// [io.rdmanet.internal.setup.ConnectionManagerRendezvous] (rdma_cm),
/// [io.rdmanet.internal.setup.ListenerLoop] with [io.rdmanet.internal.setup.Acceptor] (listening).
package io.rdmanet.internal.setup;
