package io.rdmanet.tck;

import io.rdmanet.ConnectionSetup;
import io.rdmanet.EndpointOptions;
import io.rdmanet.Listener;
import io.rdmanet.RawConn;
import io.rdmanet.RawOptions;
import io.rdmanet.RawProgress;
import io.rdmanet.RawVerb;
import io.rdmanet.Rdmanet;
import java.net.InetSocketAddress;
import java.time.Duration;

/// One end of a raw connection in a process of its own, which goes on until it is killed. Run by
/// [PeerProcess].
final class RawPeer {
    /// Longer than the other process keeps it waiting on a busy machine: it ends by being killed.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private RawPeer() {}

    /// Sends for ever to the port given, or drains for ever on one of its own if that is 0.
    ///
    /// @param arguments provider, set-up, address, port
    public static void main(String[] arguments) throws Exception {
        EndpointOptions endpoint =
                EndpointOptions.defaults()
                        .withProvider(arguments[0])
                        .withSetup(ConnectionSetup.valueOf(arguments[1]))
                        .withTimeout(PATIENCE);
        InetSocketAddress address =
                new InetSocketAddress(arguments[2], Integer.parseInt(arguments[3]));
        RawOptions options =
                RawOptions.defaults()
                        .withEndpoint(endpoint)
                        .withTransmitDepth(16)
                        .withMaxMessageBytes(4096);
        if (address.getPort() == 0) {
            drain(address, options);
        } else {
            send(address, options);
        }
    }

    private static void send(InetSocketAddress address, RawOptions options) throws Exception {
        try (RawConn conn = Rdmanet.dialRaw(address, options)) {
            conn.pipelineBatch(RawVerb.SEND, 1000, 64, RawProgress.NONE);
            System.out.println("running");
            conn.pipelineBatch(RawVerb.SEND, Long.MAX_VALUE, 64, RawProgress.NONE);
        }
    }

    private static void drain(InetSocketAddress address, RawOptions options) throws Exception {
        try (Listener<RawConn> listener = Rdmanet.listenRaw(address, options)) {
            System.out.println("port " + listener.localAddress().getPort());
            try (RawConn conn = listener.accept(PATIENCE)) {
                conn.recvDrain(null);
            }
        }
    }
}
