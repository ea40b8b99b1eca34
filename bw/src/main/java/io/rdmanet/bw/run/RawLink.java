package io.rdmanet.bw.run;

import static java.util.Objects.requireNonNull;

import io.rdmanet.DeadlineException;
import io.rdmanet.PollMode;
import io.rdmanet.ProbeReport;
import io.rdmanet.RawConn;
import io.rdmanet.RawOptions;
import io.rdmanet.RawProgress;
import io.rdmanet.RawVerb;
import io.rdmanet.Rdmanet;
import io.rdmanet.bw.run.ClientPlan.RawPosting;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The client's [RawConn]: one for each size, since its buffers are made for one.
final class RawLink implements Client.Link {
    private static final Duration VERDICT_PAUSE = Duration.ofMillis(1);

    private final ClientPlan plan;
    private final Observer observer;
    private final RunMeter meter = new RunMeter();
    private final PeakMeter peak = new PeakMeter();
    private @Nullable RawConn conn;
    private @Nullable Setting setting;
    private boolean isConnected;

    RawLink(ClientPlan plan, Observer observer) {
        this.plan = plan;
        this.observer = observer;
    }

    @Override
    public boolean prepare(int size) throws IOException {
        if (conn != null) {
            conn.endRun(RunTagDescriptor.tag(RunTagDescriptor.REDIAL, 0, false, false));
            conn.close();
            conn = null;
        }
        RawOptions options = options(size);
        RawConn next = Rdmanet.dialRaw(plan.server(), options);
        conn = next;
        setting =
                new Setting(
                        next.description(),
                        Mode.RAW,
                        plan.verb(),
                        size,
                        options.transmitDepth(),
                        plan.rawPosting() == RawPosting.SINGLE ? 1 : options.transmitDepth(),
                        options.bufferCount(),
                        PollMode.BUSY,
                        false);
        if (!isConnected) {
            isConnected = true;
            observer.connected(next.localAddress(), next.remoteAddress(), next.description());
        }
        return true;
    }

    private RawOptions options(int size) {
        int depth = plan.depth();
        int maxMessageBytes = size;
        int buffers = plan.oneBuffer() ? 1 : Buffers.count(depth, size);
        if (plan.verify()) {
            // Each message in flight needs a payload of its own, and the verdict needs room.
            maxMessageBytes = Math.max(size, RawVerdictDescriptor.LENGTH);
            if (buffers < depth) {
                observer.note(
                        "tx depth lowered from "
                                + depth
                                + " to "
                                + buffers
                                + ": with --verify each message in flight has a buffer of its own,"
                                + " and they may take "
                                + (Buffers.MAX_BUFFER_BYTES_IN_ALL >> 20)
                                + " MiB together");
                depth = buffers;
            }
        }
        // Where nobody looks at payloads receives share buffers, as those of ib_send_bw do.
        return RawOptions.defaults()
                .withEndpoint(plan.endpoint())
                .withTransmitDepth(depth)
                .withMaxMessageBytes(maxMessageBytes)
                .withBufferCount(buffers)
                .withKeepsMessages(plan.verify())
                .withProbesTime(plan.probe());
    }

    @Override
    public Setting setting() {
        return requireNonNull(setting, "not prepared");
    }

    @Override
    public RunOutcome run(RunSpec spec, RunMonitor monitor) throws IOException {
        RawConn link = requireNonNull(conn, "not prepared");
        RunLimit limit = new RunLimit(spec.count(), spec.limitNanos(), monitor, System::nanoTime);
        int index = spec.index();
        RawPayloads payloads =
                spec.verify() ? new RawPayloads(link, spec.size(), RawServing.seed(index)) : null;
        RawRun run = new RawRun(limit, peak, payloads);
        link.endRun(
                RunTagDescriptor.tag(
                        plan.verb() == RawVerb.SEND
                                ? RunTagDescriptor.ANNOUNCE
                                : RunTagDescriptor.ANNOUNCE_SILENCE,
                        index,
                        spec.warmUp(),
                        spec.verify()));
        ProbeReport before = link.probe();
        meter.start();
        long start = run.start();
        monitor.begin(spec.monitored(start));
        long sent =
                plan.rawPosting() == RawPosting.SINGLE
                        ? link.pipeline(plan.verb(), limit.remaining(0), spec.size(), run)
                        : link.pipelineBatch(plan.verb(), limit.remaining(0), spec.size(), run);
        long nanos = System.nanoTime() - start;
        meter.stop();
        monitor.end();
        ProbeReport probe = Probes.difference(link.probe(), before);
        link.endRun(
                RunTagDescriptor.tag(RunTagDescriptor.END, index, spec.warmUp(), spec.verify()));
        long bad = spec.verify() ? readVerdict(link, index, sent) : 0;
        return new RunOutcome(
                new Rate(sent, sent * spec.size(), nanos),
                peak.peakMessagesPerSecond(),
                meter.allocatedBytes(),
                meter.collectionMillis(),
                probe,
                bad);
    }

    /// Reads the server's buffers until its verdict is there.
    private long readVerdict(RawConn link, int index, long sent) throws IOException {
        MemorySegment[] buffers = RawPayloads.buffers(link);
        for (MemorySegment buffer : buffers) {
            RawVerdictDescriptor.clear(buffer);
        }
        Duration patience = plan.endpoint().timeout();
        long deadline = System.nanoTime() + patience.toNanos();
        do {
            link.pipeline(
                    RawVerb.READ, buffers.length, RawVerdictDescriptor.LENGTH, RawProgress.NONE);
            for (MemorySegment buffer : buffers) {
                if (RawVerdictDescriptor.isOn(buffer, index)) {
                    return badMessages(buffer, sent);
                }
            }
            LockSupport.parkNanos(VERDICT_PAUSE.toNanos());
        } while (System.nanoTime() - deadline < 0);
        throw new DeadlineException(
                "the server "
                        + SocketText.of(link.remoteAddress())
                        + " gave no verdict on a verified run within "
                        + Timeouts.seconds(patience)
                        + " s");
    }

    private static long badMessages(MemorySegment verdict, long sent) throws RunFailedException {
        long messages = RawVerdictDescriptor.messages(verdict);
        if (messages != sent) {
            throw new RunFailedException(
                    "the server received " + messages + " of " + sent + " messages");
        }
        return RawVerdictDescriptor.badMessages(verdict);
    }

    @Override
    public void close() {
        if (conn != null) {
            conn.close();
        }
    }
}
