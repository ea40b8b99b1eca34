package io.rdmanet.bench.run;

import io.rdmanet.bench.run.Pair.Answer;
import io.rdmanet.bw.run.Mode;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Half a round of a ping-pong over a tier of ours, both ends polling: the median.
final class LatencySubject implements Subject {
    private static final int GATE_ROUNDS = 500;

    /// Of rounds that take about a microsecond; slower ones take longer.
    private static final long NANOS_PER_ROUND = 2000;

    private static final int NO_PORT = 0;

    private final String label;
    private final Mode mode;
    private final int size;
    private final Pair pair;
    private int port = NO_PORT;

    LatencySubject(String label, Mode mode, int size) {
        this.label = label;
        this.mode = mode;
        this.size = size;
        pair = new Pair(label);
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public List<Integer> sizes() {
        return List.of(size);
    }

    @Override
    public Unit unit() {
        return Unit.MICROSECONDS;
    }

    @Override
    public Verdict gate(int bytes) throws IOException {
        Answer answer = run(bytes, GATE_ROUNDS, 0, true);
        return new Verdict(GATE_ROUNDS, GATE_ROUNDS, answer.number(3));
    }

    @Override
    public Sample measure(int bytes, long nanos, boolean isRehearsal) throws IOException {
        Answer answer = run(bytes, Math.max(1000, nanos / NANOS_PER_ROUND), nanos / 2, false);
        return new Sample(answer.real(1), Map.of(Sample.P999, answer.real(2)));
    }

    private Answer run(int bytes, long rounds, long warmUpNanos, boolean verify)
            throws IOException {
        if (port == NO_PORT) {
            String kind = mode == Mode.RAW ? "raw" : "message";
            port = (int) pair.askServer("SERVE_LATENCY", kind, bytes).number(1);
        }
        return pair.askClient("LATENCY", mode.label(), bytes, port, rounds, warmUpNanos, verify);
    }

    @Override
    public void reset() {
        port = NO_PORT;
        pair.close();
    }
}
