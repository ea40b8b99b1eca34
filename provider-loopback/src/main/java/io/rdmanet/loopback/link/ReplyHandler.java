package io.rdmanet.loopback.link;

/// Takes the answer to [PeerLink#request].
@FunctionalInterface
public interface ReplyHandler {
    /// The status of a request whose peer is gone: it may have been carried out, or not.
    int PEER_GONE = -1;

    /// Called exactly once, in a turn of the hub's reactor: must neither block nor throw.
    ///
    /// @param status what the peer gave to [LinkRequest#reply], or [#PEER_GONE]
    /// @param value what the peer gave with it, else 0
    void onReply(int status, long value);
}
