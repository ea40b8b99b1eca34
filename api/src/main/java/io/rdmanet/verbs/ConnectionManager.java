package io.rdmanet.verbs;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Connections by IP address, as librdmacm makes them.
///
/// Whoever opened it closes it, after its listeners and identifiers. Safe for use by any thread.
///
/// ```
/// client: resolve -> allocate, create queue pair, post receives -> connect
/// server: listen -> awaitRequest -> allocate, create queue pair, post receives -> accept
/// ```
public interface ConnectionManager extends AutoCloseable {
    /// The provider that opened it.
    VerbsProvider provider();

    /// Listens for connection requests.
    ///
    /// @param address a local address, or the wildcard; port 0 takes a free one
    /// @param backlog requests that may wait to be taken, at least 1; more are rejected
    /// @return the listener, to be closed by the caller
    /// @throws ConnectionException if the address is in use or not local
    ConnectionListener listen(InetSocketAddress address, int backlog) throws VerbsException;

    /// Finds the device and the route to an address.
    ///
    /// @param destination where to
    /// @param source the local address to send from (and so the device), or null for any
    /// @param timeoutNanos how long each of the two resolutions may take
    /// @return an identifier in the state "route resolved", to be closed by the caller
    /// @throws ConnectionException naming what could not be resolved
    ConnectionIdentifier resolve(
            InetSocketAddress destination, @Nullable InetSocketAddress source, long timeoutNanos)
            throws VerbsException;

    /// Closes the manager and the contexts it opened.
    ///
    /// @throws IllegalStateException while a listener or an identifier is open
    @Override
    void close();
}
