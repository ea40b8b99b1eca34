package io.rdmanet.bw.run;

import io.rdmanet.Conn;
import io.rdmanet.PeerGoneException;
import io.rdmanet.ProbeReport;
import io.rdmanet.ReceivedMessage;
import io.rdmanet.bw.run.ControlRecord.Run;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The receiving end of one run over a [Conn].
///
/// The time measured begins when the first message was received and ends with the run's end marker.
/// The payload is not read unless it is to be verified; in the modes that copy it is copied out to
/// as many buffers as a batch has messages.
final class ConnReceiver implements AutoCloseable {
    private final Conn conn;
    private final Run run;
    private final RunMonitor monitor;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment[] buffers;
    private final int[] lengths;
    private final ReceivedMessage[] leases;
    private final RunMeter meter = new RunMeter();

    private long messages;
    private long bytes;
    private long badMessages;
    private long firstNanos;

    /// @param run what the client announced
    ConnReceiver(Conn conn, Run run, RunMonitor monitor) {
        this.conn = conn;
        this.run = run;
        this.monitor = monitor;
        int count = run.mode() == Mode.ZERO_COPY ? 0 : Buffers.count(run.batch(), run.size());
        buffers = new MemorySegment[count];
        lengths = new int[count];
        leases = new ReceivedMessage[run.mode() == Mode.ZERO_COPY ? run.batch() : 0];
        for (int i = 0; i < count; i++) {
            buffers[i] = arena.allocate(run.size(), Buffers.ALIGNMENT);
        }
    }

    /// Different buffers that messages are copied to; 0 if they are not.
    int bufferCount() {
        return buffers.length;
    }

    /// Receives until the end marker.
    RunOutcome receive() throws IOException {
        ProbeReport before = conn.probe();
        monitor.begin(new RunMonitor.Run(run.size(), run.count(), 0, System.nanoTime()));
        meter.start();
        switch (run.mode()) {
            case MSG -> receiveSingly();
            case BATCH -> receiveInBatches();
            case ZERO_COPY -> receiveLeases();
            case RAW -> throw new IllegalArgumentException("raw is no mode of a Conn");
        }
        long nanos = messages == 0 ? 0 : System.nanoTime() - firstNanos;
        meter.stop();
        monitor.end();
        return new RunOutcome(
                new Rate(messages, bytes, nanos),
                0,
                meter.allocatedBytes(),
                meter.collectionMillis(),
                Probes.difference(conn.probe(), before),
                badMessages);
    }

    private void receiveSingly() throws IOException {
        MemorySegment buffer = buffers[0];
        while (true) {
            int length = conn.recvMsg(buffer);
            if (length == 0) {
                return;
            }
            if (length == Conn.END_OF_STREAM) {
                throw closedInRun();
            }
            received(buffer, length);
        }
    }

    private void receiveInBatches() throws IOException {
        while (true) {
            int count = conn.recvBatch(buffers, lengths, buffers.length);
            if (count == Conn.END_OF_STREAM) {
                throw closedInRun();
            }
            for (int i = 0; i < count; i++) {
                if (lengths[i] == 0) {
                    // Nothing follows an end marker before the answer.
                    return;
                }
                received(buffers[i], lengths[i]);
            }
        }
    }

    private void receiveLeases() throws IOException {
        while (true) {
            int count = conn.receiveLeases(leases, leases.length);
            if (count == Conn.END_OF_STREAM) {
                throw closedInRun();
            }
            try {
                for (int i = 0; i < count; i++) {
                    int length = leases[i].length();
                    if (length == 0) {
                        // Nothing follows an end marker before the answer.
                        return;
                    }
                    received(leases[i].segment(), length);
                }
            } finally {
                conn.closeLeases(leases, count);
            }
        }
    }

    private void received(MemorySegment payload, int length) {
        if (messages == 0) {
            firstNanos = System.nanoTime();
        }
        if (length != run.size()
                || (run.verify()
                        && !PayloadPattern.matches(payload, length, run.seed(), messages))) {
            badMessages++;
        }
        messages++;
        bytes += length;
        monitor.completed(messages);
    }

    private PeerGoneException closedInRun() {
        return new PeerGoneException(
                "the client "
                        + SocketText.of(conn.remoteAddress())
                        + " closed in the middle of a run, after "
                        + messages
                        + " messages");
    }

    @Override
    public void close() {
        arena.close();
    }
}
