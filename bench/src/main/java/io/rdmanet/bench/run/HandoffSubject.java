package io.rdmanet.bench.run;

import io.rdmanet.bench.run.Pair.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A bare ping-pong of one cache line between two processes: half a round. It is a reference, and
/// the probe around every run: it tells how far apart the processors are just then.
final class HandoffSubject implements Subject, Harness.Probe {
    static final String LABEL = "handoff";
    static final int LINE_BYTES = 64;
    private static final long PROBE_NANOS = 15_000_000;
    private static final long GATE_NANOS = 1_000_000;
    private static final double NANOS_PER_MICROSECOND = 1000;

    private final Path folder;
    private final Pair pair = new Pair(LABEL);

    /// @param folder for the file that both ends map; each run makes and removes one
    HandoffSubject(Path folder) {
        this.folder = folder;
    }

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public List<Integer> sizes() {
        return List.of(LINE_BYTES);
    }

    @Override
    public Unit unit() {
        return Unit.MICROSECONDS;
    }

    /// The line holds the number of each exchange, so that a short run checks as much as a long
    /// one.
    @Override
    public Verdict gate(int size) throws IOException {
        List<Answer> answers = run(GATE_NANOS);
        return new Verdict(answers.get(1).number(1), answers.getFirst().number(1), 0);
    }

    @Override
    public Sample measure(int size, long nanos, boolean isRehearsal) throws IOException {
        return Sample.of(reading(nanos).halfRoundMicros());
    }

    @Override
    public Harness.Reading read() throws IOException {
        return reading(PROBE_NANOS);
    }

    private Harness.Reading reading(long nanos) throws IOException {
        Answer asked = run(nanos).getFirst();
        double median = asked.real(2);
        return new Harness.Reading(median / 2 / NANOS_PER_MICROSECOND, asked.real(3) / median);
    }

    private List<Answer> run(long nanos) throws IOException {
        Path file = Files.createTempFile(folder, "handoff", "");
        try {
            return pair.askBoth(
                    List.of("HANDOFF_ANSWER", file), List.of("HANDOFF_ASK", file, nanos));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    @Override
    public void reset() {
        pair.close();
    }
}
