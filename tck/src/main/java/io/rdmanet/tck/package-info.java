/// Contracts: abstract test classes that say what every provider must do. A provider extends each
/// in a class of ten lines and changes nothing.
///
/// Reading order: [io.rdmanet.tck.VerbsContract] (how a contract is run, what a provider may
/// adjust), [io.rdmanet.tck.VerbsProviderContract] and [io.rdmanet.tck.UnsupportedContract]
/// (capability honesty), [io.rdmanet.tck.SendReceiveContract], [io.rdmanet.tck.PostingContract] and
/// [io.rdmanet.tck.ChainContract] (the data path), [io.rdmanet.tck.LongRunContract] (as many
/// threads as are allowed), [io.rdmanet.tck.ConnectionManagerContract] and
/// [io.rdmanet.tck.FailedConnectionContract] (rdma_cm). The faults of
/// [io.rdmanet.tck.FaultContract] are in [io.rdmanet.tck.fault].
///
/// Contracts assert what the verbs specification and the SPI promise, never speed. Where devices
/// may legally differ, the contract takes either, or asks the provider's class by an overridable
/// method whose comment says which device differs. A missing capability skips, with its name.
///
/// System properties: `rdmanet.tck.address` (of the device, for rdma_cm),
/// `rdmanet.tck.patienceSeconds`, `rdmanet.tck.messages` (for slow devices) and
/// `rdmanet.tck.large=true` (regions over 2 GiB).
package io.rdmanet.tck;
