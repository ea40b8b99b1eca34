package io.rdmanet.bw.perftest;

import io.rdmanet.EndpointOptions;
import io.rdmanet.RawVerb;
import io.rdmanet.bw.perftest.wire.BandwidthReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One end of a run, on the loopback device and a thread of its own.
final class PerftestEnd implements PerftestObserver {
    private static final int PATIENCE_SECONDS = 60;

    final List<BandwidthReport> bandwidths = new ArrayList<>();
    final List<LatencyReport> latencies = new ArrayList<>();
    private final CompletableFuture<InetSocketAddress> listening = new CompletableFuture<>();
    private final CompletableFuture<@Nullable IOException> end = new CompletableFuture<>();

    private PerftestEnd(PerftestPlan plan) {
        Thread.ofPlatform()
                .daemon()
                .name(plan.isClient() ? "client" : "server")
                .start(() -> {
                    try {
                        new Perftest(plan, this).run();
                        end.complete(null);
                    } catch (IOException e) {
                        end.complete(e);
                    } catch (RuntimeException | Error e) {
                        end.completeExceptionally(e);
                    } finally {
                        listening.completeExceptionally(new IOException("never listened"));
                    }
                });
    }

    static PerftestEnd server(Run run) {
        return new PerftestEnd(
                run.plan(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), false));
    }

    static PerftestEnd client(Run run, InetSocketAddress server) {
        return new PerftestEnd(run.plan(server, true));
    }

    /// What is run, with everything else as it usually is.
    record Run(
            RawVerb verb,
            List<Integer> sizes,
            int iterations,
            int seconds,
            int queuePairs,
            boolean isBidirectional,
            boolean isLatency,
            Duration timeout) {
        static Run of(RawVerb verb) {
            return new Run(verb, List.of(4096), 100, 0, 1, false, false, Duration.ofSeconds(20));
        }

        Run sizes(Integer... bytes) {
            return new Run(
                    verb,
                    List.of(bytes),
                    iterations,
                    seconds,
                    queuePairs,
                    isBidirectional,
                    isLatency,
                    timeout);
        }

        Run iterations(int count) {
            return new Run(
                    verb, sizes, count, seconds, queuePairs, isBidirectional, isLatency, timeout);
        }

        Run seconds(int time) {
            return new Run(verb, sizes, 0, time, queuePairs, isBidirectional, isLatency, timeout);
        }

        Run queuePairs(int count) {
            return new Run(
                    verb, sizes, iterations, seconds, count, isBidirectional, isLatency, timeout);
        }

        Run bothWays() {
            return new Run(verb, sizes, iterations, seconds, queuePairs, true, isLatency, timeout);
        }

        Run latency() {
            return new Run(
                    verb, sizes, iterations, seconds, queuePairs, isBidirectional, true, timeout);
        }

        Run timeout(Duration time) {
            return new Run(
                    verb, sizes, iterations, seconds, queuePairs, isBidirectional, isLatency, time);
        }

        PerftestPlan plan(InetSocketAddress address, boolean isClient) {
            return new PerftestPlan(
                    address,
                    isClient,
                    EndpointOptions.defaults().withProvider("loopback").withTimeout(timeout),
                    verb,
                    isLatency,
                    sizes,
                    sizes.size() > 1,
                    iterations,
                    Duration.ofSeconds(seconds),
                    queuePairs,
                    128,
                    isBidirectional,
                    false);
        }
    }

    /// Where the server listens.
    InetSocketAddress address() throws Exception {
        return listening.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /// Waits for the end.
    ///
    /// @return what failed, or null
    @Nullable IOException failure() throws Exception {
        return end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void listening(InetSocketAddress address, String provider, String reason) {
        listening.complete(address);
    }

    @Override
    public void connected(PerftestPlan plan, Connection connection) {}

    @Override
    public void bandwidth(BandwidthReport report) {
        bandwidths.add(report);
    }

    @Override
    public void latency(LatencyReport report) {
        latencies.add(report);
    }

    @Override
    public void finished() {}

    @Override
    public void failed(IOException failure) {
        throw new AssertionError("only of servers that go on", failure);
    }
}
