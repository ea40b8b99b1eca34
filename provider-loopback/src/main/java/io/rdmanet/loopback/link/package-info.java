/// How loopback devices find each other, wake each other, and notice each other's end.
///
/// Read [io.rdmanet.loopback.link.RendezvousDirectory] (the figure), then
/// [io.rdmanet.loopback.link.Instance], [io.rdmanet.loopback.link.Hub],
/// [io.rdmanet.loopback.link.PeerLink], and last `LinkMessageDescriptor`, `LinkSocket` and
/// `Leftovers`, where the difficult parts are.
package io.rdmanet.loopback.link;
