package io.rdmanet.bw.perftest;

import io.rdmanet.bw.perftest.wire.BandwidthReport;
import io.rdmanet.bw.perftest.wire.Exchange;
import io.rdmanet.bw.perftest.wire.KeyMessage;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.LinkLayer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/// Is told how a run against a C tool goes, on the thread that runs it and never during traffic.
public interface PerftestObserver {
    /// What a run goes over.
    ///
    /// @param provider the provider
    /// @param device the device
    /// @param portNumber its port
    /// @param linkLayer what packets travel on
    /// @param gid this end's GID
    /// @param preamble what was agreed on
    /// @param own this end's queue pairs
    /// @param peer the peer's
    record Connection(
            String provider,
            String device,
            int portNumber,
            LinkLayer linkLayer,
            GidEntry gid,
            Exchange.Preamble preamble,
            List<KeyMessage> own,
            List<KeyMessage> peer) {
        public Connection {
            own = List.copyOf(own);
            peer = List.copyOf(peer);
        }
    }

    /// The server waits.
    ///
    /// @param reason why the provider was chosen
    void listening(InetSocketAddress address, String provider, String reason);

    /// Both ends know each other.
    void connected(PerftestPlan plan, Connection connection);

    /// A size is done.
    void bandwidth(BandwidthReport report);

    /// A size is done.
    void latency(LatencyReport report);

    /// A client's runs are done, well or not.
    void finished();

    /// One client of several failed; the server goes on.
    void failed(IOException failure);
}
