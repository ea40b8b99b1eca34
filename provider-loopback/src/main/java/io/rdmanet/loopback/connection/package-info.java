/// rdma_cm for the loopback device: connections by addresses of this machine.
///
/// Read [io.rdmanet.loopback.connection.LoopbackConnectionManager] first, then
/// `LoopbackConnectionIdentifier` (the states), `LoopbackConnectionListener` and
/// `ConnectionRecordDescriptor`. `LoopbackConnectionFailure` has the words for what only this
/// device tells, and `ConnectionFailure` of `io.rdmanet.internal.provider` those that all providers
/// have.
package io.rdmanet.loopback.connection;
