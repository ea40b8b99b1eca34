package io.rdmanet.bw.perftest;

import io.rdmanet.RawVerb;
import io.rdmanet.bw.perftest.wire.BandwidthReport;
import io.rdmanet.bw.perftest.wire.Exchange;
import io.rdmanet.bw.perftest.wire.KeyMessage;
import io.rdmanet.bw.perftest.wire.Negotiation;
import io.rdmanet.bw.perftest.wire.NegotiationDescriptor;
import io.rdmanet.bw.run.RunFailedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One run with one peer, from the first byte of the exchange to the last. Belongs to one thread.
///
/// The order of barriers is that of the C tools, and differs between them:
///
/// ```
/// send   ready, again, { start, traffic, [both: reports], [-a: end] } for each size, close
/// write, one way:
/// read   again, start, traffic of all sizes, finished, reports, close
///        both ways:
///        again, ready, { start, traffic, [-a: end], reports } for each size, close
/// lat    ready, again, { start, traffic } for each size, close
/// ```
final class PerftestRun {
    private final PerftestPlan plan;
    private final PerftestDevice device;
    private final Exchange exchange;
    private final PerftestObserver observer;

    PerftestRun(
            PerftestPlan plan,
            PerftestDevice device,
            Exchange exchange,
            PerftestObserver observer) {
        this.plan = plan;
        this.device = device;
        this.exchange = exchange;
        this.observer = observer;
    }

    /// Runs everything.
    void run() throws IOException {
        Exchange.Preamble preamble = exchange.preamble(device.port().activeMtu(), negotiation());
        Buffers buffers =
                new Buffers(
                        plan.queuePairs(),
                        plan.largestSize(),
                        preamble.cycleBufferBytes(),
                        preamble.cacheLineBytes());
        try (QueuePairs queuePairs = new QueuePairs(plan, device, buffers)) {
            queuePairs.connect(exchange, preamble);
            if (plan.verb() == RawVerb.SEND) {
                exchange.barrier("the sign that its queue pairs are connected");
            }
            exchange.barriers("its keys once more");
            observer.connected(plan, connection(queuePairs, preamble));
            traffic(queuePairs);
            exchange.close();
        }
    }

    private Negotiation negotiation() {
        return new Negotiation(
                plan.runsAllSizes(),
                NegotiationDescriptor.code(plan.verb()),
                plan.isLatency(),
                (int) plan.duration().toSeconds(),
                plan.largestSize(),
                plan.iterations(),
                plan.queuePairs(),
                device.attributes().maxReadAtomic());
    }

    private PerftestObserver.Connection connection(
            QueuePairs queuePairs, Exchange.Preamble preamble) {
        List<KeyMessage> own = new ArrayList<>();
        List<KeyMessage> peer = new ArrayList<>();
        for (int i = 0; i < queuePairs.count(); i++) {
            own.add(queuePairs.own(i));
            peer.add(queuePairs.peer(i));
        }
        return new PerftestObserver.Connection(
                device.selection().provider().name(),
                device.context().deviceName(),
                device.portNumber(),
                device.port().linkLayer(),
                device.gid(),
                preamble,
                own,
                peer);
    }

    private void traffic(QueuePairs queuePairs) throws IOException {
        PeerWatch watch = new PeerWatch(exchange.socket(), exchange.timeout());
        try (SendSide sends =
                        plan.isActive()
                                ? new SendSide(queuePairs, plan.verb(), plan.sendDepth())
                                : null;
                ReceiveSide receives =
                        plan.isReceiver()
                                ? new ReceiveSide(queuePairs, plan.receiveDepth())
                                : null) {
            if (plan.isLatency() && sends != null && receives != null) {
                latency(new PingPong(plan, sends, receives, watch), sends, receives);
                return;
            }
            Traffic traffic = new Traffic(plan, sends, receives, watch);
            if (plan.verb() == RawVerb.SEND) {
                sends(traffic, sends, receives);
            } else if (plan.isBidirectional()) {
                oneSidedBothWays(traffic, sends);
            } else {
                oneSided(traffic, sends);
            }
        }
    }

    private void latency(PingPong pingPong, SendSide sends, ReceiveSide receives)
            throws IOException {
        for (int size : plan.sizes()) {
            receives.begin(size, plan.iterations());
            sends.begin(size, plan.iterations());
            exchange.barrier("the start");
            observer.latency(pingPong.run(size));
        }
    }

    private void sends(Traffic traffic, @Nullable SendSide sends, @Nullable ReceiveSide receives)
            throws IOException {
        for (int size : plan.sizes()) {
            begin(size, sends);
            if (receives != null) {
                receives.begin(size, perQueuePair());
            }
            exchange.barrier("the start");
            BandwidthReport own = traffic.run(size);
            if (plan.isBidirectional() && !plan.isByTime()) {
                own = own.plus(checked(exchange.reports(own, exchange.timeout()), size));
            }
            observer.bandwidth(own);
            if (plan.runsAllSizes()) {
                exchange.barrier("the end of a size");
            }
        }
    }

    private void oneSidedBothWays(Traffic traffic, @Nullable SendSide sends) throws IOException {
        exchange.barrier("its readiness");
        for (int size : plan.sizes()) {
            begin(size, sends);
            exchange.barrier("the start");
            BandwidthReport own = traffic.run(size);
            // The directions do not wait for each other: the peer's may take much longer.
            if (plan.runsAllSizes()) {
                exchange.barrier("the end of a size", plan.longestRun());
            }
            observer.bandwidth(own.plus(checked(exchange.reports(own, plan.longestRun()), size)));
        }
    }

    private void oneSided(Traffic traffic, @Nullable SendSide sends) throws IOException {
        exchange.barrier("the start");
        BandwidthReport last = new BandwidthReport(0, 0, 0, 0, 0);
        if (sends != null) {
            for (int size : plan.sizes()) {
                begin(size, sends);
                last = traffic.run(size);
                observer.bandwidth(last);
            }
        }
        exchange.barrier(
                "the end of its run", plan.isActive() ? exchange.timeout() : plan.longestRun());
        BandwidthReport peers = exchange.reports(last, exchange.timeout());
        if (sends == null) {
            // What the peer measured is all there is at this end.
            observer.bandwidth(checked(peers, plan.largestSize()));
        }
    }

    private void begin(int size, @Nullable SendSide sends) {
        if (sends != null) {
            sends.begin(size, perQueuePair());
        }
    }

    private long perQueuePair() {
        return plan.isByTime() ? Long.MAX_VALUE : plan.iterations();
    }

    /// The peer's report, if it is of the same run.
    private BandwidthReport checked(BandwidthReport report, int size) throws RunFailedException {
        if (report.size() != size) {
            throw new RunFailedException(
                    "the peer ran messages of "
                            + report.size()
                            + " bytes, this end was told "
                            + size
                            + ": give both ends the same -s and -a");
        }
        if (!plan.isByTime() && report.iterations() != plan.messages()) {
            throw new RunFailedException(
                    "the peer ran "
                            + report.iterations()
                            + " messages, this end was told "
                            + plan.messages()
                            + ": give both ends the same -n and -q");
        }
        requireFigures(report);
        return report;
    }

    /// Refuses what is no figure, or one in another unit: a report says nothing of its unit, but
    /// the rate of messages tells which one the average is in.
    private static void requireFigures(BandwidthReport report) throws RunFailedException {
        if (!report.isPossible()) {
            throw new RunFailedException(
                    "the peer reports what cannot be: "
                            + report
                            + "; is it the same tool, with the same options?");
        }
        if (!report.isInMebibytes()) {
            throw new RunFailedException(
                    "the peer reports "
                            + report.mpps()
                            + " Mpps of "
                            + report.size()
                            + " bytes as "
                            + report.averageMibps()
                            + ", which is not in MiB/s: drop --report_gbits there");
        }
    }
}
