package io.rdmanet.bench.run;

import io.rdmanet.bench.run.Pair.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Aeron IPC between two processes, at its fastest: the rehearsal tries several lengths of terms
/// and keeps the best for each size.
///
/// Our tiers are timed by the sender, who waits for the last acknowledgement in each slice; Aeron's
/// sender waits for nothing, so that its rate is that of both ends.
final class AeronSubject implements Subject {
    static final String LABEL = "aeron-ipc";
    private static final List<Integer> TERM_BYTES = List.of(512 << 10, 1 << 20, 4 << 20, 16 << 20);
    private static final long GATE_BYTES = 8L << 20;
    private static final long MOST_GATE_MESSAGES = 4_000;

    private final List<Integer> sizes;
    private final Path folder;
    private final int slices;
    private final Pair pair = new Pair(LABEL);
    private final Map<Integer, Integer> bestTerm = new HashMap<>();

    /// @param folder for the driver's files, which it removes
    AeronSubject(List<Integer> sizes, Path folder, int slices) {
        this.slices = slices;
        this.sizes = sizes;
        this.folder = folder;
    }

    @Override
    public String label() {
        return LABEL;
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
        int termBytes = bestTerm.getOrDefault(size, TERM_BYTES.getFirst());
        List<Answer> answers = run(size, termBytes, 0, count);
        Answer received = answers.get(1);
        return new Verdict(received.number(1), answers.getFirst().number(1), received.number(2));
    }

    @Override
    public Sample measure(int size, long nanos, boolean isRehearsal) throws IOException {
        if (!isRehearsal) {
            return Sample.of(rate(size, bestTerm.getOrDefault(size, 1 << 20), nanos));
        }
        double best = 0;
        for (int termBytes : TERM_BYTES) {
            // The first one warms up for all.
            double rate = rate(size, termBytes, nanos);
            if (rate > best) {
                best = rate;
                bestTerm.put(size, termBytes);
            }
        }
        return Sample.of(best);
    }

    private double rate(int size, int termBytes, long nanos) throws IOException {
        List<Answer> answers = run(size, termBytes, nanos, 0);
        Answer received = answers.get(1);
        if (received.number(1) != answers.getFirst().number(1)) {
            throw new IOException(
                    LABEL
                            + ": "
                            + received.number(1)
                            + " of "
                            + answers.getFirst().number(1)
                            + " messages arrived");
        }
        return fastest(answers.getFirst().reals(2), received.reals(3));
    }

    /// The rate of the fastest slice, each as fast as the slower of its ends saw it: the log can
    /// take in, and give out, what it holds faster than messages go through.
    static double fastest(List<Double> sent, List<Double> received) throws IOException {
        if (sent.isEmpty() || sent.size() != received.size()) {
            throw new IOException(
                    LABEL + ": " + sent.size() + " slices sent, " + received.size() + " received");
        }
        double fastest = 0;
        for (int i = 0; i < sent.size(); i++) {
            fastest = Math.max(fastest, Math.min(sent.get(i), received.get(i)));
        }
        return fastest;
    }

    private List<Answer> run(int size, int termBytes, long nanos, long gateMessages)
            throws IOException {
        return pair.askBoth(
                List.of("AERON_RECEIVE", folder, size, gateMessages > 0),
                List.of(
                        "AERON_SEND",
                        folder,
                        termBytes,
                        size,
                        nanos,
                        nanos / 2,
                        slices,
                        gateMessages));
    }

    @Override
    public void reset() {
        pair.close();
    }
}
