package io.rdmanet.bench.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/// Measures nothing: a test says what its gate and its runs bring.
final class FakeSubject implements Subject {
    private static final Verdict RIGHT = new Verdict(1, 1, 0);

    private final String label;
    private final List<String> journal;
    private final Iterator<Double> figures;
    private final List<Verdict> verdicts = new ArrayList<>();
    int resets;

    /// @param journal is told of every gate and run
    /// @param figures of the runs, the rehearsal's first
    FakeSubject(String label, List<String> journal, Double... figures) {
        this.label = label;
        this.journal = journal;
        this.figures = List.of(figures).iterator();
    }

    /// Gates end so, one after the other; those behind the last are right.
    FakeSubject gates(Verdict... given) {
        verdicts.addAll(List.of(given));
        return this;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public List<Integer> sizes() {
        return List.of(64);
    }

    @Override
    public Unit unit() {
        return Unit.MESSAGES_PER_SECOND;
    }

    @Override
    public Verdict gate(int size) {
        journal.add("gate " + label);
        return verdicts.isEmpty() ? RIGHT : verdicts.removeFirst();
    }

    @Override
    public Sample measure(int size, long nanos, boolean isRehearsal) throws IOException {
        journal.add("run " + label);
        if (!figures.hasNext()) {
            throw new IOException("no more figures");
        }
        return Sample.of(figures.next());
    }

    @Override
    public void reset() {
        resets++;
    }
}
