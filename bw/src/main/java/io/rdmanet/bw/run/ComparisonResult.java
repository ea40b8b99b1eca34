package io.rdmanet.bw.run;

import io.rdmanet.ProbeReport;
import java.util.List;

/// What a comparison brought.
///
/// @param results one for each provider x mode x size that was measured at least once
/// @param limits the copy limit of each size
/// @param costs what posting and polling cost in each cell
/// @param leftOut providers that were not measured, or not to the end
/// @param failures what went wrong on the way; empty if nothing did
public record ComparisonResult(
        List<CellResult> results,
        List<CopyResult> limits,
        List<CellCost> costs,
        List<LeftOut> leftOut,
        List<String> failures) {
    /// The copy limit of a size.
    ///
    /// @param size bytes of each message
    /// @param buffers buffers of each of the two rings
    /// @param repeats what each repeat brought
    public record CopyResult(int size, int buffers, List<Rate> repeats) {
        /// Gb/s over the repeats.
        public Statistics gbps() {
            return Statistics.of(repeats.stream().mapToDouble(Rate::gbps).toArray());
        }

        /// Million messages a second, the median.
        public double mpps() {
            return Statistics.of(repeats.stream().mapToDouble(Rate::mpps).toArray()).median();
        }
    }

    /// What a cell's work requests cost the processor, measured in a run of its own: looking at the
    /// clock takes time, too.
    ///
    /// @param probe of the sending end
    public record CellCost(String provider, Mode mode, int size, ProbeReport probe) {
        /// Nanoseconds in posting, per work request.
        public double postNanos() {
            return probe.perWorkRequest(probe.postNanos());
        }

        /// Nanoseconds in polling, per work request, of the polls that found something.
        public double pollNanos() {
            return probe.perWorkRequest(probe.pollNanos());
        }
    }

    /// A provider that was not measured.
    ///
    /// @param reason why not
    public record LeftOut(String provider, String reason) {}

    /// A result without costs.
    public ComparisonResult(
            List<CellResult> results,
            List<CopyResult> limits,
            List<LeftOut> leftOut,
            List<String> failures) {
        this(results, limits, List.of(), leftOut, failures);
    }

    public ComparisonResult {
        results = List.copyOf(results);
        limits = List.copyOf(limits);
        costs = List.copyOf(costs);
        leftOut = List.copyOf(leftOut);
        failures = List.copyOf(failures);
    }
}
