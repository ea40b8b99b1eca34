package io.rdmanet.bench.run;

import io.rdmanet.bw.run.Statistics;
import java.util.Optional;
import java.util.function.Predicate;

/// What a cell should reach, as a ratio to a reference of the same round or as a figure of its own.
///
/// @param cell what is judged
/// @param metric which of its figures: empty for the figure itself, else a name of [Sample]'s
/// @param reference a subject of the same size; [#OWN_PROBE] for the handoff around each run; empty
///   for none
/// @param bound which way is good
/// @param reach what is wanted
/// @param floor what `--check` insists on: generous, for machines differ
/// @param note what the judgement is about, where the labels do not say it
public record Target(
        Cell cell,
        String metric,
        String reference,
        Bound bound,
        double reach,
        double floor,
        String note) {
    /// The reference of latencies: the probes before and after each run.
    public static final String OWN_PROBE = "handoff around it";

    /// Which way is good.
    public enum Bound {
        /// More is better.
        AT_LEAST,
        /// Less is better.
        AT_MOST
    }

    /// What became of it.
    ///
    /// @param value median of the rounds, with the spread
    public record Judgement(Target target, Statistics value) {
        /// Whether what is wanted was reached.
        public boolean isMet() {
            return target.isWithin(value.median(), target.reach());
        }

        /// Whether at least the floor was.
        public boolean isAboveFloor() {
            return target.isWithin(value.median(), target.floor());
        }
    }

    private boolean isWithin(double value, double limit) {
        return bound == Bound.AT_LEAST ? value >= limit : value <= limit;
    }

    /// Whether all that the judgement needs was to be measured.
    ///
    /// @param isWanted which cells were
    public boolean isSelected(Predicate<Cell> isWanted) {
        return isWanted.test(cell)
                && (reference.isEmpty()
                        || reference.equals(OWN_PROBE)
                        || isWanted.test(new Cell(reference, cell.size())));
    }

    /// Judges, if everything needed was measured.
    public Optional<Judgement> judge(Findings findings) {
        Optional<Findings.Row> own = findings.row(cell);
        Optional<Findings.Row> other =
                reference.isEmpty() || reference.equals(OWN_PROBE)
                        ? Optional.empty()
                        : findings.row(new Cell(reference, cell.size()));
        if (own.isEmpty()) {
            return Optional.empty();
        }
        double[] values =
                own.get().runs().entrySet().stream()
                        .flatMapToDouble(entry ->
                                value(entry.getKey(), entry.getValue().sample(), other).stream())
                        .toArray();
        return values.length == 0
                ? Optional.empty()
                : Optional.of(new Judgement(this, Statistics.of(values)));
    }

    private java.util.OptionalDouble value(int round, Sample sample, Optional<Findings.Row> other) {
        java.util.OptionalDouble own = sample.value(metric);
        if (own.isEmpty() || reference.isEmpty()) {
            return own;
        }
        java.util.OptionalDouble base;
        if (reference.equals(OWN_PROBE)) {
            base = sample.value(Sample.HANDOFF);
        } else if (other.isPresent() && other.get().runs().containsKey(round)) {
            base = other.get().runs().get(round).sample().value("");
        } else {
            base = java.util.OptionalDouble.empty();
        }
        return base.isEmpty()
                ? base
                : java.util.OptionalDouble.of(own.getAsDouble() / base.getAsDouble());
    }
}
