package io.rdmanet.loopback.link;

import io.rdmanet.verbs.GlobalIdentifier;

/// What a [Hub] tells the device that opened it.
///
/// Called in turns of the hub's reactor, one call at a time: an implementation must neither block
/// nor throw.
public interface HubListener {
    /// A peer has put something into a queue pair's shared memory and found its owner asleep.
    ///
    /// @param queuePairNumber the number the peer gave; it may be one that is no more
    void onWake(int queuePairNumber);

    /// A peer asks for something only this process can do. It must be answered with
    /// [LinkRequest#reply] in the end, by any thread.
    void onRequest(LinkRequest request);

    /// A peer's instance is closed or dead. Called once for each peer that a link existed to or
    /// from; only an instance that died while it was connecting may be reported twice.
    void onPeerGone(GlobalIdentifier peer);
}
