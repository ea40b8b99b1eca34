package io.rdmanet.bench.end;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.PollMode;
import io.rdmanet.bw.latency.LatencyClient;
import io.rdmanet.bw.latency.LatencyObserver;
import io.rdmanet.bw.latency.LatencyPlan;
import io.rdmanet.bw.latency.LatencyResult;
import io.rdmanet.bw.latency.LatencyServer;
import io.rdmanet.bw.run.Buffers;
import io.rdmanet.bw.run.Mode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Ping-pong over our own tiers, by the tool's `lat`, both ends polling.
///
/// ```
/// SERVE_LATENCY  raw|message size                          -> port
/// LATENCY        mode size port rounds warmUpNanos verify  -> p50 p99.9 bad
/// ```
///
/// Times are half of a round, in microseconds.
final class LatencyErrands {
    private static final long START_SECONDS = 15;

    void addTo(Map<String, Errand> errands) {
        errands.put("SERVE_LATENCY", LatencyErrands::serve);
        errands.put("LATENCY", LatencyErrands::measure);
    }

    /// Hears what it has to hear: the port.
    private static final class Ear implements LatencyObserver {
        private final BlockingQueue<Integer> ports = new ArrayBlockingQueue<>(1);

        @Override
        public void listening(InetSocketAddress address, String provider, String reason) {
            ports.add(address.getPort());
        }

        @Override
        public void connected(
                InetSocketAddress local,
                InetSocketAddress remote,
                ConnectionDescription connection) {}

        @Override
        @SuppressWarnings("SystemOut") // kept by the parent, and shown with the failure
        public void failed(IOException failure) {
            System.err.println("a client of lat failed: " + failure);
        }

        @Nullable Integer port() throws InterruptedException {
            return ports.poll(START_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static List<Object> serve(Words words) throws IOException, InterruptedException {
        boolean isRaw = words.text().equals("raw");
        int slotBytes = Buffers.slotBytes(Mode.ZERO_COPY, words.number());
        Ear ear = new Ear();
        LatencyServer server =
                new LatencyServer(
                        TierErrands.at(0),
                        TierErrands.endpoint(),
                        isRaw,
                        slotBytes,
                        PollMode.BUSY,
                        true,
                        ear);
        Thread.ofPlatform().daemon().name("latency server").start(() -> serve(server, ear));
        Integer port = ear.port();
        if (port == null) {
            throw new IOException(
                    "the latency server did not listen within " + START_SECONDS + " s");
        }
        return List.of(port);
    }

    private static void serve(LatencyServer server, Ear ear) {
        try {
            server.serve();
        } catch (IOException e) {
            ear.failed(e);
        }
    }

    private static List<Object> measure(Words words) throws IOException {
        Mode mode = Mode.ofLabel(words.text());
        int size = words.number();
        int port = words.number();
        long rounds = words.big();
        long warmUpNanos = words.big();
        boolean verify = words.yes();
        LatencyPlan plan =
                new LatencyPlan(
                        TierErrands.at(port),
                        TierErrands.endpoint(),
                        mode,
                        size,
                        1,
                        rounds,
                        warmUpNanos,
                        PollMode.BUSY,
                        verify);
        LatencyResult result = new LatencyClient(plan, new Ear()).measure();
        return List.of(result.micros(50), result.micros(99.9), result.badMessages());
    }
}
