package io.rdmanet.bw.run;

import io.rdmanet.DeadlineException;
import io.rdmanet.Listener;
import io.rdmanet.PollMode;
import io.rdmanet.ProbeReport;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.RawConn;
import io.rdmanet.RawDrain;
import io.rdmanet.RawOptions;
import io.rdmanet.RawProgress;
import io.rdmanet.RawReceiver;
import io.rdmanet.RawVerb;
import io.rdmanet.Rdmanet;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// Serves raw clients: drains run after run, as their tags say.
final class RawServing implements Server.Endpoint {
    /// A client that announced another connection is back at once, or dead.
    private static final Duration REDIAL_PATIENCE = Duration.ofSeconds(5);

    private final Observer observer;
    private final Listener<RawConn> listener;

    RawServing(ServerPlan plan, Observer observer) throws IOException {
        this.observer = observer;
        // Everything else is the client's to choose.
        RawOptions options =
                RawOptions.defaults().withEndpoint(plan.endpoint()).withProbesTime(plan.probe());
        listener = Rdmanet.listenRaw(plan.address(), options);
    }

    /// The seed of a verified run's payloads, known to both ends.
    static long seed(int index) {
        return 0x5eed_0000L + index;
    }

    @Override
    public Listener<?> listener() {
        return listener;
    }

    @Override
    public long serveOne(RunMonitor monitor) throws IOException, Server.ClientFailedException {
        CellCollector cells = new CellCollector(observer);
        long badMessages = 0;
        boolean isFirst = true;
        while (true) {
            RawConn conn = isFirst ? Server.accept(listener) : acceptAgain();
            if (isFirst) {
                isFirst = false;
                observer.connected(conn.localAddress(), conn.remoteAddress(), conn.description());
            }
            try (Drainer drainer = new Drainer(conn, observer, cells, monitor)) {
                boolean comesAgain = drainer.drain();
                badMessages += drainer.badMessages;
                if (!comesAgain) {
                    return badMessages;
                }
            } catch (IOException e) {
                throw new Server.ClientFailedException(e);
            } finally {
                cells.finish();
            }
        }
    }

    private RawConn acceptAgain() throws Server.ClientFailedException {
        try {
            return listener.accept(REDIAL_PATIENCE);
        } catch (IOException e) {
            throw new Server.ClientFailedException(e);
        }
    }

    @Override
    public void close() {
        listener.close();
    }

    /// Drains one connection.
    static final class Drainer implements RawReceiver, AutoCloseable {
        private final RawConn conn;
        private final Observer observer;
        private final CellCollector cells;
        private final RunMonitor monitor;
        private final MemorySegment[] buffers;
        private final RunMeter meter = new RunMeter();
        private final PeakMeter peak = new PeakMeter();

        // Of the run being drained.
        private boolean isVerified;
        private long seed;
        private long messages;
        private long badInRun;
        private int size;
        private ProbeReport before = ProbeReport.NONE;

        private long badMessages;
        private boolean isSilenceTold;

        Drainer(RawConn conn, Observer observer, CellCollector cells, RunMonitor monitor) {
            this.conn = conn;
            this.observer = observer;
            this.cells = cells;
            this.monitor = monitor;
            buffers = RawPayloads.buffers(conn);
        }

        /// Drains until the client is done with this connection.
        ///
        /// @return whether it comes again
        boolean drain() throws IOException {
            int announced = 0;
            while (true) {
                begin(announced);
                RawDrain drain = drain(announced);
                RunOutcome outcome = end(drain);
                int tag = drain.tag();
                if (tag == RawDrain.GOODBYE) {
                    // Without an end the run was broken off; it still counts for what it is.
                    report(announced, drain, outcome);
                    return false;
                }
                switch (RunTagDescriptor.kind(tag)) {
                    case RunTagDescriptor.ANNOUNCE -> announced = tag;
                    case RunTagDescriptor.ANNOUNCE_SILENCE -> {
                        announced = tag;
                        tellOfSilence();
                    }
                    case RunTagDescriptor.END -> {
                        report(tag, drain, outcome);
                        announced = 0;
                    }
                    case RunTagDescriptor.REDIAL -> {
                        return true;
                    }
                    default ->
                            throw new ProtocolViolationException(
                                    "the client "
                                            + SocketText.of(conn.remoteAddress())
                                            + " sent the unknown tag 0x"
                                            + Integer.toHexString(tag)
                                            + ": it is not rdmanet-bw");
                }
            }
        }

        private void tellOfSilence() {
            if (!isSilenceTold) {
                isSilenceTold = true;
                observer.note(
                        "RDMA WRITE or READ shows nothing here; its figures are at the client");
            }
        }

        /// A run of RDMA WRITE or READ may be longer than this end waits for a message. The end of
        /// the connection ends it in any case; of a client whose machine has gone nothing comes,
        /// not even that, and so an empty write asks its device whether it is there.
        private RawDrain drain(int announced) throws IOException {
            while (true) {
                try {
                    return conn.recvDrain(this);
                } catch (DeadlineException late) {
                    if (RunTagDescriptor.kind(announced) != RunTagDescriptor.ANNOUNCE_SILENCE) {
                        throw late;
                    }
                    conn.pipeline(RawVerb.WRITE, 1, 0, RawProgress.NONE);
                }
            }
        }

        private void begin(int announced) {
            isVerified = RunTagDescriptor.isVerified(announced);
            seed = seed(RunTagDescriptor.index(announced));
            messages = 0;
            badInRun = 0;
            size = 0;
            long now = System.nanoTime();
            peak.start(now);
            before = conn.probe();
            monitor.begin(new RunMonitor.Run(conn.options().maxMessageBytes(), 0, 0, now));
            meter.start();
        }

        @Override
        public void onMessage(int buffer, int length) {
            if (messages == 0) {
                size = length;
                peak.start(System.nanoTime());
            }
            if (length != size
                    || (isVerified
                            && !PayloadPattern.matches(
                                    conn.buffer(buffer), length, seed, messages))) {
                badInRun++;
            }
            messages++;
            monitor.completed(messages);
            if (peak.wants(messages)) {
                peak.note(messages, System.nanoTime());
            }
        }

        private RunOutcome end(RawDrain drain) {
            meter.stop();
            monitor.end();
            // One message has no duration of its own.
            long nanos =
                    drain.messages() > 1
                            ? drain.lastNanos() - drain.firstNanos()
                            : System.nanoTime() - drain.firstNanos();
            return new RunOutcome(
                    new Rate(drain.messages(), drain.bytes(), nanos),
                    peak.peakMessagesPerSecond(),
                    meter.allocatedBytes(),
                    meter.collectionMillis(),
                    Probes.difference(conn.probe(), before),
                    badInRun);
        }

        private void report(int tag, RawDrain drain, RunOutcome outcome) {
            badMessages += badInRun;
            if (isVerified) {
                for (MemorySegment buffer : buffers) {
                    RawVerdictDescriptor.write(
                            buffer, RunTagDescriptor.index(tag), drain.messages(), badInRun);
                }
            }
            if (drain.messages() > 0 && !RunTagDescriptor.isWarmUp(tag)) {
                cells.add(setting(), outcome);
            }
        }

        private Setting setting() {
            int depth = conn.options().transmitDepth();
            return new Setting(
                    conn.description(),
                    Mode.RAW,
                    size,
                    depth,
                    depth,
                    buffers.length,
                    PollMode.BUSY,
                    true);
        }

        @Override
        public void close() {
            conn.close();
        }
    }
}
