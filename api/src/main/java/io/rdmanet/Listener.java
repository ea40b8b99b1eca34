package io.rdmanet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Takes connections at one address.
///
/// The caller closes it; connections that were accepted live on. Several threads may accept at
/// once. Strangers, garbage and silence cost nobody else's connection: they are dropped after the
/// handshake's deadline, and [#accept] goes on waiting.
///
/// @param <C> [Conn] or [RawConn]
public interface Listener<C extends AutoCloseable> extends AutoCloseable {
    /// Where it listens, with the real port.
    InetSocketAddress localAddress();

    /// The provider it uses.
    String provider();

    /// Why that provider was chosen, in words.
    String providerReason();

    /// Waits for a connection and completes its handshake.
    ///
    /// @param timeout how long to wait at most
    /// @return the connection, to be closed by the caller
    /// @throws DeadlineException if none came in time; the listener is as it was
    /// @throws java.nio.channels.AsynchronousCloseException if the listener was closed meanwhile
    C accept(Duration timeout) throws IOException;

    /// Stops listening and ends waiting calls. May be called by any thread, any number of times.
    @Override
    void close();
}
