package io.rdmanet.bw.perftest;

import io.rdmanet.bw.perftest.wire.BandwidthReport;
import io.rdmanet.bw.run.PeakMeter;
import io.rdmanet.bw.run.Rate;
import io.rdmanet.bw.run.RunFailedException;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The loop that is timed: sends, receives, or both, until the count is reached or time is over.
///
/// The clock of an end that sends starts before its first post, that of one that waits for the peer
/// at the first message that came. A run by time ends at once and leaves work in flight, as the C
/// tools do: the peer may have stopped posting receives. Belongs to one thread.
final class Traffic {
    private static final double BYTES_PER_MEBIBYTE = 1 << 20;

    private final PerftestPlan plan;
    private final @Nullable SendSide sends;
    private final @Nullable ReceiveSide receives;
    private final PeerWatch watch;
    private final PeakMeter peak = new PeakMeter();
    private final TimeWindow window;

    /// @param sends null unless this end sends, writes or reads
    /// @param receives null unless this end takes SENDs
    Traffic(
            PerftestPlan plan,
            @Nullable SendSide sends,
            @Nullable ReceiveSide receives,
            PeerWatch watch) {
        this.plan = plan;
        this.sends = sends;
        this.receives = receives;
        this.watch = watch;
        this.window = new TimeWindow(plan.duration());
    }

    /// Runs one size. Receives are posted, and sends prepared.
    BandwidthReport run(int size) throws IOException {
        long sendGoal = sends == null ? 0 : goal();
        long receiveGoal = receives == null ? 0 : goal();
        // Of two that both send, the server waits for the client's first message.
        boolean isStarted = sends != null && (receives == null || plan.isClient());
        long start = System.nanoTime();
        if (isStarted) {
            begin(start, 0);
        }
        watch.progress();
        long sent = 0;
        long received = 0;
        long end = 0;
        while (sent < sendGoal || received < receiveGoal) {
            if (sends != null && isStarted) {
                sends.post();
            }
            int progress = 0;
            if (sends != null) {
                progress += sends.poll();
                sent = sends.completed();
                if (sent >= sendGoal && end == 0) {
                    // Both ways, receives may still be due: they are in the peer's figure.
                    end = System.nanoTime();
                }
            }
            if (receives != null) {
                progress += receives.poll();
                received = receives.received();
            }
            if (!isStarted && received > 0) {
                isStarted = true;
                start = System.nanoTime();
                begin(start, received);
            }
            if (progress > 0) {
                watch.progress();
                if (peak.wants(sent)) {
                    peak.note(sent, System.nanoTime());
                }
            } else {
                watch.idle(doing());
            }
            if (plan.isByTime()) {
                if (isStarted && window.isOver(System.nanoTime(), sent + received)) {
                    break;
                }
            }
            if (progress == 0 && watch.isPeerAhead()) {
                requireByTime(isStarted, sent, received);
                break;
            }
        }
        if (plan.isByTime()) {
            return byTime(size);
        }
        return byCount(size, (end == 0 ? System.nanoTime() : end) - start);
    }

    private void begin(long start, long eventsSoFar) {
        peak.start(start);
        window.start(start, eventsSoFar);
    }

    private long goal() {
        return plan.isByTime() ? Long.MAX_VALUE : plan.messages();
    }

    private String doing() {
        if (sends == null) {
            return "waiting for messages";
        }
        return receives == null
                ? "waiting for sends to complete"
                : "waiting for messages, and for sends to complete";
    }

    /// The peer has stopped. In a run by time that is as it must be, if the time is about over.
    private void requireByTime(boolean isStarted, long sent, long received)
            throws RunFailedException {
        if (!plan.isByTime()) {
            throw receives == null
                    ? PeerWatch.ahead(sent, plan.messages())
                    : PeerWatch.ahead(received, plan.messages());
        }
        if (!isStarted) {
            throw new RunFailedException(
                    "the peer ended its run before a message had come: give both ends the same -D");
        }
    }

    private BandwidthReport byCount(int size, long nanos) {
        Rate rate = new Rate(plan.messages(), plan.messages() * size, nanos);
        // One that only receives has no peak, as with the C tools.
        double best = sends == null ? 0 : peak.peakMessagesPerSecond() * size / BYTES_PER_MEBIBYTE;
        return new BandwidthReport(size, plan.messages(), best, rate.mibps(), rate.mpps());
    }

    private BandwidthReport byTime(int size) throws RunFailedException {
        window.end();
        if (!window.isFull()) {
            throw new RunFailedException(
                    String.format(
                            Locale.ROOT,
                            "nothing completed any more after %.1f of %d s: the peer ended its run"
                                    + " then; give both ends the same -D",
                            window.quietFrom() / 1e9,
                            plan.duration().toSeconds()));
        }
        if (window.events() == 0) {
            throw new RunFailedException(
                    "no message completed in the "
                            + plan.duration().toSeconds()
                            + " s that count: take a longer -D, or shorter messages");
        }
        Rate rate = new Rate(window.events(), window.events() * size, window.nanos());
        return new BandwidthReport(size, window.events(), 0, rate.mibps(), rate.mpps());
    }
}
