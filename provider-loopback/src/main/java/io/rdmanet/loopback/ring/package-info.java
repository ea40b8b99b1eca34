/// What two processes share: layouts in mapped memory, and the only code that reaches it.
///
/// Start with [io.rdmanet.loopback.ring.QueuePairDescriptor], then
/// [io.rdmanet.loopback.ring.ReceivePoolDescriptor]; [io.rdmanet.loopback.ring.Words] is how every
/// other class reads and writes it.
package io.rdmanet.loopback.ring;
