package io.rdmanet.bw.latency;

import io.rdmanet.ConnectionDescription;
import java.io.IOException;
import java.net.InetSocketAddress;

/// Is told what happens, on the thread on which it happens and never during a run.
public interface LatencyObserver {
    /// The server waits.
    ///
    /// @param reason why the provider was chosen
    void listening(InetSocketAddress address, String provider, String reason);

    /// A client came, or the server was reached.
    void connected(
            InetSocketAddress local, InetSocketAddress remote, ConnectionDescription connection);

    /// One client of several failed; the server goes on.
    void failed(IOException failure);
}
