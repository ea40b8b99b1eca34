/// The message connection: what turns verbs into [io.rdmanet.Conn].
///
/// Reading order: [io.rdmanet.internal.engine.MessageConnection] (the front, one method per call),
/// `SendSide` and `ReceiveSide` with `Inbox` (the two halves), `CompletionLoop` (who polls, who
/// waits, who wakes whom), `ConnectionState` (how it ends), `Resources` and `Teardown` (what it is
/// made of and how that is taken apart). The rules of flow control, and why they hold, are in
/// [io.rdmanet.internal.flow.CreditLedger].
///
/// Locks, in the order in which they may nest: leadership of the completion loop (a try-lock, never
/// waited for), the send lock, the receive lock. Nobody blocks while holding one of the latter two.
package io.rdmanet.internal.engine;
