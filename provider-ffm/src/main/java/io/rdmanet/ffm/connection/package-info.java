/// Connections on librdmacm.
///
/// Read [io.rdmanet.ffm.connection.Handshake] for how a connection comes about, then
/// `FfmConnectionIdentifier` for its life, `CommunicationIdentifier` for who may touch the
/// `rdma_cm_id` when, and `Farewells` for what is left after close. `FfmConnectionFailure` has the
/// words for what librdmacm says when something goes wrong, and `ConnectionFailure` of
/// `io.rdmanet.internal.provider` those that all providers have.
package io.rdmanet.ffm.connection;
