package io.rdmanet.bw.latency;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ConnectionDescription;
import io.rdmanet.PeerGoneException;
import io.rdmanet.PollMode;
import io.rdmanet.RawConn;
import io.rdmanet.RawOptions;
import io.rdmanet.Rdmanet;
import io.rdmanet.bw.run.Buffers;
import io.rdmanet.bw.run.Mode;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/// Measures how long a message takes to a server and back, again and again. Belongs to one thread.
public final class LatencyClient {
    private static final long LONGEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 3;

    private final LatencyPlan plan;
    private final LatencyObserver observer;

    /// @param observer is told of everything
    public LatencyClient(LatencyPlan plan, LatencyObserver observer) {
        this.plan = plan;
        this.observer = observer;
    }

    /// Connects, warms up, measures, and closes.
    public LatencyResult measure() throws IOException {
        return plan.mode() == Mode.RAW ? measureRaw() : measureConn();
    }

    private LatencyResult measureConn() throws IOException {
        int slotBytes = Buffers.slotBytes(plan.mode(), plan.size());
        ConnOptions options =
                ConnOptions.defaults()
                        .withEndpoint(plan.endpoint())
                        .withSlotBytes(slotBytes)
                        .withDepth(Buffers.depth(ConnOptions.defaults().depth(), slotBytes))
                        .withMaxMessageBytes(
                                Math.max(plan.size(), ConnOptions.defaults().maxMessageBytes()))
                        .withPollMode(plan.pollMode());
        try (Conn conn = Rdmanet.dial(plan.server(), options)) {
            observer.connected(conn.localAddress(), conn.remoteAddress(), conn.description());
            LatencyRequest request =
                    new LatencyRequest(plan.mode(), plan.size(), plan.batch(), plan.verify());
            conn.sendMsg(request.encode());
            try (ConnPinger pinger = new ConnPinger(conn, request)) {
                return measure(pinger, conn.description());
            }
        }
    }

    private LatencyResult measureRaw() throws IOException {
        RawOptions options =
                RawOptions.defaults()
                        .withEndpoint(plan.endpoint())
                        .withTransmitDepth(RawPinger.BUFFERS)
                        .withMaxMessageBytes(plan.size())
                        .withBufferCount(RawPinger.BUFFERS)
                        .withKeepsMessages(false)
                        .withProbesTime(false);
        try (RawConn conn = Rdmanet.dialRaw(plan.server(), options)) {
            observer.connected(conn.localAddress(), conn.remoteAddress(), conn.description());
            conn.endRun(LatencyServer.rawTag(plan.verify()));
            try (RawPinger pinger =
                    new RawPinger(conn, true, plan.verify(), plan.endpoint().timeout())) {
                LatencyResult result = measure(pinger, conn.description());
                pinger.sayFarewell();
                return result;
            }
        }
    }

    private LatencyResult measure(Pinger pinger, ConnectionDescription connection)
            throws IOException {
        Histogram histogram = new Histogram(1, LONGEST_NANOS, DIGITS);
        long start = System.nanoTime();
        long round = 0;
        while (System.nanoTime() - start < plan.warmUpNanos()) {
            round(pinger, round++);
        }
        long end = round + plan.rounds();
        while (round < end) {
            long nanos = round(pinger, round++);
            histogram.recordValue(Math.min(nanos, LONGEST_NANOS));
        }
        PollMode pollMode = plan.mode() == Mode.RAW ? PollMode.BUSY : plan.pollMode();
        return new LatencyResult(
                connection,
                plan.mode(),
                plan.size(),
                plan.batch(),
                pollMode,
                histogram,
                pinger.badMessages());
    }

    private static long round(Pinger pinger, long round) throws IOException {
        long sent = System.nanoTime();
        pinger.send(round);
        if (!pinger.receive(round)) {
            throw new PeerGoneException(
                    "the server closed the connection instead of answering; its own messages say"
                            + " why");
        }
        return System.nanoTime() - sent;
    }
}
