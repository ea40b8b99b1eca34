package io.rdmanet.bench.run;

import io.rdmanet.bench.run.Harness.Reading;
import io.rdmanet.bench.run.Harness.Run;
import io.rdmanet.bw.run.Statistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What was measured.
///
/// @param rows the cells that have figures, in the order they were measured
/// @param refusals the cells that have none, and why
/// @param unreached the cells whose turn had not come when time was over
public record Findings(List<Row> rows, Map<Cell, String> refusals, List<Cell> unreached) {
    /// A probe this much slower than the fastest of all was far.
    private static final double FAR = 1.8;

    /// Probes before and after a run that differ by more saw a drift.
    private static final double DRIFT = 1.4;

    public Findings {
        rows = List.copyOf(rows);
        refusals = Map.copyOf(refusals);
        unreached = List.copyOf(unreached);
    }

    /// A cell with its figures.
    ///
    /// @param unit what they are in
    /// @param runs by round
    public record Row(Cell cell, Unit unit, Map<Integer, Run> runs) {
        public Row {
            runs = new TreeMap<>(runs);
        }

        /// Median, smallest and largest figure.
        public Statistics figures() {
            return Statistics.of(
                    runs.values().stream().mapToDouble(run -> run.sample().figure()).toArray());
        }

        /// The median of something else that was seen, if it was.
        public Optional<Double> extra(String name) {
            double[] values =
                    runs.values().stream()
                            .flatMapToDouble(run -> run.sample().value(name).stream())
                            .toArray();
            return values.length == 0
                    ? Optional.empty()
                    : Optional.of(Statistics.of(values).median());
        }
    }

    /// How steady the machine was.
    ///
    /// @param fastest of all probes, in microseconds
    /// @param slowest of all probes
    /// @param near runs with both probes about as fast as the fastest
    /// @param far runs with both much slower
    /// @param drifted runs between two probes that differ much
    /// @param disturbed runs during which something else ran on the processors
    /// @param runs all of them
    public record Steadiness(
            double fastest,
            double slowest,
            long near,
            long far,
            long drifted,
            long disturbed,
            long runs) {}

    /// The row of a cell, if it has one.
    public Optional<Row> row(Cell cell) {
        return rows.stream().filter(row -> row.cell().equals(cell)).findFirst();
    }

    /// How steady the machine was.
    public Steadiness steadiness() {
        List<Run> all = rows.stream().flatMap(row -> row.runs().values().stream()).toList();
        Statistics probes =
                all.isEmpty()
                        ? new Statistics(0, 0, 0)
                        : Statistics.of(
                                all.stream()
                                        .flatMap(run -> Stream.of(run.before(), run.after()))
                                        .mapToDouble(Reading::halfRoundMicros)
                                        .toArray());
        double limit = probes.min() * FAR;
        return new Steadiness(
                probes.min(),
                probes.max(),
                all.stream().filter(run -> slower(run) < limit).count(),
                all.stream().filter(run -> faster(run) >= limit).count(),
                all.stream().filter(run -> slower(run) > faster(run) * DRIFT).count(),
                all.stream().filter(Run::isDisturbed).count(),
                all.size());
    }

    private static double slower(Run run) {
        return Math.max(run.before().halfRoundMicros(), run.after().halfRoundMicros());
    }

    private static double faster(Run run) {
        return Math.min(run.before().halfRoundMicros(), run.after().halfRoundMicros());
    }
}
