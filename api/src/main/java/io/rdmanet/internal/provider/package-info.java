/// What the providers have in common: all of them the words for failures, and those of real cards
/// the rest, whichever way they reach the card. Depends on [io.rdmanet.verbs] and the JDK alone.
/// What only looks alike in the providers stays there. The rest of this module takes from here only
/// how an address is written.
///
/// Reading order: [io.rdmanet.internal.provider.ChildCount], who may close before whom;
/// [io.rdmanet.internal.provider.Destroying], what stays when the device refuses;
/// [io.rdmanet.internal.provider.ConnectionProgress], how far one end of a connection has come;
/// [io.rdmanet.internal.provider.ConnectionFailure], the words for what can go wrong between two
/// ends, and [io.rdmanet.internal.provider.AddressText], those for where they are;
/// [io.rdmanet.internal.provider.AccountTable], whose a completion is, by the number of an
/// [io.rdmanet.internal.provider.Account].
package io.rdmanet.internal.provider;
