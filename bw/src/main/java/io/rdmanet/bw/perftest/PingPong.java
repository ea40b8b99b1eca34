package io.rdmanet.bw.perftest;

import io.rdmanet.bw.run.RunFailedException;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;

/// The loop of a latency run: the client sends, and each end answers what came. Belongs to one
/// thread.
final class PingPong {
    private final PerftestPlan plan;
    private final SendSide sends;
    private final ReceiveSide receives;
    private final PeerWatch watch;
    private final long[] posted;

    PingPong(PerftestPlan plan, SendSide sends, ReceiveSide receives, PeerWatch watch) {
        this.plan = plan;
        this.sends = sends;
        this.receives = receives;
        this.watch = watch;
        this.posted = new long[plan.iterations()];
    }

    /// Runs one size. Receives are posted, and sends prepared.
    LatencyReport run(int size) throws IOException {
        watch.progress();
        for (int i = 0; i < posted.length; i++) {
            if (plan.isClient()) {
                send(i);
                awaitMessage(i);
            } else {
                awaitMessage(i);
                send(i);
            }
        }
        return LatencyReport.of(size, posted);
    }

    private void send(int round) throws IOException {
        posted[round] = System.nanoTime();
        postOne();
        while (sends.poll() == 0) {
            watch.idle("waiting for a send to complete");
            requirePeerNotAhead();
        }
        watch.progress();
    }

    // The depth is 1, so that there is room for one and no more.
    private void postOne() throws VerbsException {
        sends.post();
    }

    private void awaitMessage(int round) throws IOException {
        // It may have come while the last send completed.
        while (receives.received() <= round) {
            if (receives.poll() > 0) {
                watch.progress();
            } else {
                watch.idle("waiting for the peer's message");
                requirePeerNotAhead();
            }
        }
    }

    private void requirePeerNotAhead() throws RunFailedException {
        if (watch.isPeerAhead()) {
            throw PeerWatch.ahead(receives.received(), posted.length);
        }
    }
}
