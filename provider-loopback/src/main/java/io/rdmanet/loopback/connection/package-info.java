/// rdma_cm for the loopback device: connections by addresses of this machine.
///
/// Read [io.rdmanet.loopback.connection.LoopbackConnectionManager] first, then
/// `LoopbackConnectionIdentifier` (the states), `LoopbackConnectionListener` and
/// `ConnectionRecordDescriptor`.
package io.rdmanet.loopback.connection;
