package io.rdmanet.bench.run;

import io.rdmanet.bench.run.Pair.Answer;
import io.rdmanet.bw.run.Mode;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// The message rate of a tier of ours, by the tool's own server and client, both ends polling.
final class TierSubject implements Subject {
    private static final long GATE_BYTES = 8L << 20;
    private static final long MOST_GATE_MESSAGES = 4_000;
    private static final int NO_PORT = 0;

    private final String label;
    private final Mode mode;
    private final int batch;
    private final boolean oneBuffer;
    private final List<Integer> sizes;
    private final int slices;
    private final Pair pair;
    private int port = NO_PORT;

    /// @param batch messages per call
    /// @param oneBuffer raw: whether all messages lie in one buffer
    /// @param slices of each run, the fastest of which counts
    TierSubject(
            String label,
            Mode mode,
            int batch,
            boolean oneBuffer,
            List<Integer> sizes,
            int slices) {
        this.slices = slices;
        this.label = label;
        this.mode = mode;
        this.batch = batch;
        this.oneBuffer = oneBuffer;
        this.sizes = sizes;
        pair = new Pair(label);
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public List<Integer> sizes() {
        return sizes;
    }

    @Override
    public Unit unit() {
        return Unit.MESSAGES_PER_SECOND;
    }

    @Override
    public Verdict gate(int size) throws IOException {
        long count = Math.min(MOST_GATE_MESSAGES, GATE_BYTES / size);
        Answer sent = run(size, true, count, 0, 0, 1);
        Answer received = pair.askServer("RECEIVED", 1);
        return new Verdict(received.number(1), sent.number(1), received.number(3) + sent.number(4));
    }

    @Override
    public Sample measure(int size, long nanos, boolean isRehearsal) throws IOException {
        Answer sent = run(size, false, 0, nanos, nanos / 2, slices);
        Answer received = pair.askServer("RECEIVED", slices);
        double messages = sent.number(1);
        if (received.number(1) != sent.number(1)) {
            throw new IOException(
                    label + ": " + received.number(1) + " of " + sent.number(1) + " arrived");
        }
        return new Sample(
                sent.real(2),
                Map.of(
                        Sample.SENDER_ALLOCATED,
                        sent.number(3) / messages,
                        Sample.RECEIVER_ALLOCATED,
                        received.number(2) / messages));
    }

    private Answer run(
            int size, boolean verify, long count, long nanos, long warmUpNanos, int parts)
            throws IOException {
        if (port == NO_PORT) {
            port = (int) pair.askServer("SERVE", mode == Mode.RAW ? "raw" : "message").number(1);
        }
        // What is verified lies in many buffers: a single one holds one payload at a time.
        boolean one = oneBuffer && !verify;
        return pair.askClient(
                "RATE",
                mode.label(),
                size,
                port,
                batch,
                one,
                verify,
                count,
                nanos,
                warmUpNanos,
                parts);
    }

    @Override
    public void reset() {
        port = NO_PORT;
        pair.close();
    }
}
