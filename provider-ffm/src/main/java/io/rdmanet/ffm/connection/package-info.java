/// Connections on librdmacm.
///
/// Read [io.rdmanet.ffm.connection.Handshake] for how a connection comes about, then
/// `FfmConnectionIdentifier` for its life, `CommunicationIdentifier` for who may touch the
/// `rdma_cm_id` when, and `Farewells` for what is left after close. `ConnectionFailure` has the
/// words for everything that can go wrong.
package io.rdmanet.ffm.connection;
