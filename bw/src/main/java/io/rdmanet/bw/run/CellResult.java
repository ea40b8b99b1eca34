package io.rdmanet.bw.run;

import java.util.List;

/// All repeats of one measurement: what every report is made from.
///
/// @param setting what was measured
/// @param repeats what each repeat brought, at least one
public record CellResult(Setting setting, List<RunOutcome> repeats) {
    public CellResult {
        if (repeats.isEmpty()) {
            throw new IllegalArgumentException("a result without a run");
        }
        repeats = List.copyOf(repeats);
    }

    /// The repeat of median message rate; its figures stand for all.
    public RunOutcome median() {
        return Statistics.medianItem(repeats, outcome -> outcome.rate().mpps());
    }

    /// Gb/s over the repeats.
    public Statistics gbps() {
        return Statistics.of(
                repeats.stream().mapToDouble(outcome -> outcome.rate().gbps()).toArray());
    }

    /// Wrong messages of all repeats.
    public long badMessages() {
        return repeats.stream().mapToLong(RunOutcome::badMessages).sum();
    }
}
