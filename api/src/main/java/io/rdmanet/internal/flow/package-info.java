/// Flow control and reassembly: who may send when, and how a message of several frames becomes
/// whole. Pure bookkeeping, tested without a device.
///
/// Reading order: [io.rdmanet.internal.flow.CreditLedger] (the argument why a frame never meets an
/// empty receive queue and why nothing deadlocks), [io.rdmanet.internal.flow.FrameRing],
/// [io.rdmanet.internal.flow.Reassembly].
package io.rdmanet.internal.flow;
