package io.rdmanet.verbs;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Takes connection requests at one address. The caller closes it. Safe for use by any thread.
public interface ConnectionListener extends AutoCloseable {
    /// Where it listens, with the real port.
    InetSocketAddress localAddress();

    /// Waits for a request. Interrupting the thread or closing the listener ends the wait.
    ///
    /// @param timeoutNanos how long to wait at most; 0 never blocks
    /// @return the request, to be accepted or rejected, and closed by the caller; null if none came
    /// @throws VerbsException if the listener was closed or failed
    @Nullable ConnectionIdentifier awaitRequest(long timeoutNanos) throws VerbsException;

    /// Stops listening; requests that nobody took are rejected.
    @Override
    void close();
}
