package io.rdmanet.internal.setup;

import io.rdmanet.ConnectionDescription;
import java.net.InetSocketAddress;

/// The established connection beside its queue pair: addresses, facts, and whether the peer lives.
///
/// Closed after the queue pair, the queues and the memory made from the rendezvous' context. Safe
/// for use by any thread.
public interface Link extends AutoCloseable {
    /// This end's address.
    InetSocketAddress localAddress();

    /// The peer's address.
    InetSocketAddress remoteAddress();

    /// What the connection runs on.
    ConnectionDescription description();

    /// Whether the peer has disconnected or died (rdma_cm's DISCONNECTED, or the end of the TCP
    /// exchange's socket), or this end's device has gone. Cheap enough to be asked a few times a
    /// second, not per message; never blocks.
    boolean isPeerGone();

    /// How [#isPeerGone()] came to be true, in words.
    default String howGone() {
        return "it closed the connection, or died";
    }

    /// The way packets take and what may be wrong with it, for the message of a send that was not
    /// answered.
    default String route() {
        return "";
    }

    /// Whether this end's port is down, so that nothing travels. Asks the device: not for every
    /// message.
    default boolean isPortDown() {
        return false;
    }

    /// Tells the peer that this end is done, so that its [#isPeerGone()] turns true. Work in flight
    /// is flushed. May be called any number of times.
    void disconnect();

    /// Disconnects and closes the device.
    @Override
    void close();
}
