package io.rdmanet.bench.end;

import io.rdmanet.EndpointOptions;
import io.rdmanet.PollMode;
import io.rdmanet.RawVerb;
import io.rdmanet.bw.run.Buffers;
import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.Client;
import io.rdmanet.bw.run.ClientPlan;
import io.rdmanet.bw.run.ClientPlan.RawPosting;
import io.rdmanet.bw.run.ComparisonPlan;
import io.rdmanet.bw.run.CopyLimit;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.Observer;
import io.rdmanet.bw.run.Rate;
import io.rdmanet.bw.run.RunMonitor;
import io.rdmanet.bw.run.RunOutcome;
import io.rdmanet.bw.run.Server;
import io.rdmanet.bw.run.ServerPlan;
import io.rdmanet.bw.run.Setting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Runs of our own tiers, by the tool's own server and client, and the copy limit.
///
/// ```
/// SERVE     raw|message                                 -> port
/// RATE      mode size port batch oneBuffer verify count nanos warmUpNanos slices
///                                   -> messages messagesPerSecond allocatedBytes bad
/// RECEIVED  slices                  -> messages allocatedBytes bad
/// COPY      size nanos slices       -> messages messagesPerSecond
/// COPY_GATE size                                        -> messages bad
/// ```
///
/// A run is cut into slices, and the fastest one gives the rate: whatever else runs on the machine
/// only takes away. RECEIVED is the server's view of the last run, and is to be asked for once
/// after each.
final class TierErrands {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final long SEED = 0x5eed;
    private static final long OWN_BYTES = 1024;

    private final BlockingQueue<RunOutcome> received = new LinkedBlockingQueue<>();

    void addTo(Map<String, Errand> errands) {
        errands.put("SERVE", this::serve);
        errands.put("RATE", TierErrands::rate);
        errands.put("RECEIVED", this::received);
        errands.put("COPY", TierErrands::copy);
        errands.put("COPY_GATE", TierErrands::copyGate);
    }

    /// The device that all our tiers run on.
    static EndpointOptions endpoint() {
        return EndpointOptions.defaults().withProvider("loopback").withTimeout(TIMEOUT);
    }

    /// Where the ends meet.
    static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// Serves for as long as the process lives.
    private List<Object> serve(Words words) throws IOException {
        boolean isRaw = words.text().equals("raw");
        InetSocketAddress anyPort = at(0);
        ServerPlan plan =
                new ServerPlan(anyPort, endpoint(), isRaw, 0, 0, PollMode.BUSY, true, false);
        Observer observer =
                new Observer() {
                    @Override
                    public void runDone(Setting setting, RunOutcome outcome, int repeat) {
                        received.add(outcome);
                    }
                };
        Server server = Server.listen(plan, observer, new RunMonitor());
        Thread.ofPlatform().daemon().name("server").start(() -> serve(server));
        return List.of(server.address().getPort());
    }

    @SuppressWarnings("SystemOut") // kept by the parent, and shown with the failure
    private static void serve(Server server) {
        try (server) {
            server.serve();
        } catch (IOException | RuntimeException e) {
            System.err.println("the server ended: " + e);
        }
    }

    private static List<Object> rate(Words words) throws IOException {
        Mode mode = Mode.ofLabel(words.text());
        int size = words.number();
        int port = words.number();
        int batch = words.number();
        boolean oneBuffer = words.yes();
        boolean verify = words.yes();
        long count = words.big();
        long nanos = words.big();
        long warmUpNanos = words.big();
        int slices = words.number();
        ClientPlan plan =
                new ClientPlan(
                        at(port),
                        endpoint(),
                        mode,
                        List.of(size),
                        count,
                        nanos / slices,
                        batch,
                        ComparisonPlan.DEPTH,
                        PollMode.BUSY,
                        RawPosting.CHAINED,
                        RawVerb.SEND,
                        oneBuffer,
                        warmUpNanos,
                        slices,
                        verify,
                        false,
                        SEED);
        CellResult result =
                new Client(plan, new Observer() {}, new RunMonitor()).measure().getFirst();
        double fastest =
                result.repeats().stream()
                        .mapToDouble(outcome -> perSecond(outcome.rate()))
                        .max()
                        .orElseThrow();
        return List.of(
                messages(result.repeats()),
                fastest,
                allocatedBytes(result.repeats()),
                result.badMessages());
    }

    private static double perSecond(Rate rate) {
        return rate.messages() / rate.seconds();
    }

    private static long messages(List<RunOutcome> outcomes) {
        return outcomes.stream().mapToLong(outcome -> outcome.rate().messages()).sum();
    }

    /// Each slice allocates a little at its beginning and end, however long it is.
    private static long allocatedBytes(List<RunOutcome> outcomes) {
        return outcomes.stream()
                .mapToLong(outcome -> Math.max(0, outcome.allocatedBytes() - OWN_BYTES))
                .sum();
    }

    private List<Object> received(Words words) throws IOException, InterruptedException {
        int slices = words.number();
        List<RunOutcome> outcomes = new ArrayList<>();
        while (outcomes.size() < slices) {
            RunOutcome outcome = received.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            if (outcome == null) {
                throw new IOException("the server saw no end of a run within " + TIMEOUT);
            }
            outcomes.add(outcome);
        }
        long bad = outcomes.stream().mapToLong(RunOutcome::badMessages).sum();
        return List.of(messages(outcomes), allocatedBytes(outcomes), bad);
    }

    private static List<Object> copy(Words words) {
        int size = words.number();
        long nanos = words.big();
        int slices = words.number();
        try (CopyLimit limit = new CopyLimit(size, Buffers.count(ComparisonPlan.DEPTH, size))) {
            // Fresh memory, and the first time the code is not compiled either.
            limit.measure(nanos / 2);
            long messages = 0;
            double fastest = 0;
            for (int i = 0; i < slices; i++) {
                Rate rate = limit.measure(nanos / slices);
                messages += rate.messages();
                fastest = Math.max(fastest, perSecond(rate));
            }
            return List.of(messages, fastest);
        }
    }

    private static List<Object> copyGate(Words words) {
        int size = words.number();
        int buffers = Buffers.count(ComparisonPlan.DEPTH, size);
        try (CopyLimit limit = new CopyLimit(size, buffers)) {
            return List.of(buffers, limit.countWrong(SEED));
        }
    }
}
