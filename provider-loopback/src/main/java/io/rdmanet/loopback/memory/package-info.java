/// Files of memory, the regions in them, and the regions of peers.
///
/// [io.rdmanet.loopback.memory.SharedFile] makes and finds the files,
/// [io.rdmanet.loopback.memory.RegionTable] publishes this device's regions,
/// [io.rdmanet.loopback.memory.PeerRegions] maps a peer's.
package io.rdmanet.loopback.memory;
