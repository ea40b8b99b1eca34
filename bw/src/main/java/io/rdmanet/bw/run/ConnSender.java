package io.rdmanet.bw.run;

import io.rdmanet.Conn;
import io.rdmanet.ProbeReport;
import io.rdmanet.SendSlot;
import io.rdmanet.bw.run.ControlRecord.Done;
import io.rdmanet.bw.run.ControlRecord.Run;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The sending end of runs over a [Conn], for messages of one size.
///
/// The time measured begins before the first call and ends when the last has returned, which means
/// that the peer's device has everything (zero-copy: after a flush). The end marker and the
/// server's answer come after the time was taken: they confirm the run and are no part of it. The
/// payload is neither written nor read unless it is to be verified.
final class ConnSender implements AutoCloseable {
    private static final MemorySegment END_MARKER = MemorySegment.ofArray(new byte[0]);

    private final Conn conn;
    private final int size;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment[] sources;
    private final SendSlot[] slots;
    private final RunMeter meter = new RunMeter();

    /// @param size bytes of each message
    /// @param batch messages per call, each from a buffer of its own
    ConnSender(Conn conn, Mode mode, int size, int batch) {
        this.conn = conn;
        this.size = size;
        slots = new SendSlot[batch];
        sources = new MemorySegment[mode == Mode.ZERO_COPY ? 0 : batch];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = arena.allocate(size, Buffers.ALIGNMENT);
        }
    }

    /// Announces a run, sends its messages, and waits until the server confirms it.
    RunOutcome run(RunSpec spec, RunMonitor monitor) throws IOException {
        conn.sendMsg(ControlDescriptor.encode(record(spec)));
        RunLimit limit = new RunLimit(spec.count(), spec.limitNanos(), monitor, System::nanoTime);
        ProbeReport before = conn.probe();
        meter.start();
        long start = limit.start();
        monitor.begin(spec.monitored(start));
        long sent =
                switch (spec.mode()) {
                    case MSG -> sendSingly(limit, spec);
                    case BATCH -> sendInBatches(limit, spec);
                    case ZERO_COPY ->
                            spec.batch() == 1
                                    ? claimSingly(limit, spec)
                                    : claimInBatches(limit, spec);
                    case RAW -> throw new IllegalArgumentException("raw is no mode of a Conn");
                };
        long nanos = System.nanoTime() - start;
        meter.stop();
        monitor.end();
        ProbeReport probe = Probes.difference(conn.probe(), before);
        long bad = confirmed(sent);
        return new RunOutcome(
                new Rate(sent, sent * size, nanos),
                0,
                meter.allocatedBytes(),
                meter.collectionMillis(),
                probe,
                bad);
    }

    private static Run record(RunSpec spec) {
        return new Run(
                spec.mode(),
                spec.size(),
                spec.batch(),
                spec.count(),
                spec.seed(),
                spec.index(),
                spec.warmUp(),
                spec.verify());
    }

    private long sendSingly(RunLimit limit, RunSpec spec) throws IOException {
        MemorySegment source = sources[0];
        long sent = 0;
        while (!limit.isReached(sent)) {
            if (spec.verify()) {
                PayloadPattern.fill(source, size, spec.seed(), sent);
            }
            conn.sendMsg(source);
            sent++;
        }
        return sent;
    }

    private long sendInBatches(RunLimit limit, RunSpec spec) throws IOException {
        long sent = 0;
        while (!limit.isReached(sent)) {
            int count = (int) Math.min(sources.length, limit.remaining(sent));
            if (spec.verify()) {
                for (int i = 0; i < count; i++) {
                    PayloadPattern.fill(sources[i], size, spec.seed(), sent + i);
                }
            }
            conn.sendBatch(sources, count);
            sent += count;
        }
        return sent;
    }

    private long claimSingly(RunLimit limit, RunSpec spec) throws IOException {
        long sent = 0;
        while (!limit.isReached(sent)) {
            SendSlot slot = conn.claim(size);
            if (spec.verify()) {
                PayloadPattern.fill(slot.segment(), size, spec.seed(), sent);
            }
            slot.commit();
            sent++;
        }
        conn.flush();
        return sent;
    }

    private long claimInBatches(RunLimit limit, RunSpec spec) throws IOException {
        long sent = 0;
        while (!limit.isReached(sent)) {
            int wanted = (int) Math.min(slots.length, limit.remaining(sent));
            int count = conn.claim(slots, wanted, size);
            if (spec.verify()) {
                for (int i = 0; i < count; i++) {
                    PayloadPattern.fill(slots[i].segment(), size, spec.seed(), sent + i);
                }
            }
            conn.commit(slots, count);
            sent += count;
        }
        conn.flush();
        return sent;
    }

    /// Ends the run and waits for what the server has to say about it.
    ///
    /// @return messages that arrived with wrong content or length
    private long confirmed(long sent) throws IOException {
        conn.sendMsg(END_MARKER);
        Done done = Controls.receive(conn, Done.class, "confirm the run");
        if (done.messages() != sent) {
            throw new RunFailedException(
                    "the server received " + done.messages() + " of " + sent + " messages");
        }
        return done.badMessages();
    }

    @Override
    public void close() {
        arena.close();
    }
}
