package io.rdmanet.loopback.link;

import java.io.IOException;
import java.nio.channels.SelectionKey;

/// What a [Reactor] calls for a channel, in a turn: must not block.
public interface ReadyHandler {
    /// The channel is ready for something of its key's interest.
    ///
    /// @throws IOException to have the channel ended: [#onFailure] follows
    void onReady(SelectionKey key) throws IOException;

    /// The channel failed, or its handler threw: close the channel and tell whoever waits.
    void onFailure(Throwable failure);

    /// The reactor ends: close the channel and tell whoever waits.
    void onReactorClosed();
}
