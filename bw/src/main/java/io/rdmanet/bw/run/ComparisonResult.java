package io.rdmanet.bw.run;

import java.util.List;

/// What a comparison brought.
///
/// @param results one for each provider x mode x size that was measured at least once
/// @param limits the copy limit of each size
/// @param leftOut providers that were not measured, or not to the end
/// @param failures what went wrong on the way; empty if nothing did
public record ComparisonResult(
        List<CellResult> results,
        List<CopyResult> limits,
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

    /// A provider that was not measured.
    ///
    /// @param reason why not
    public record LeftOut(String provider, String reason) {}

    public ComparisonResult {
        results = List.copyOf(results);
        limits = List.copyOf(limits);
        leftOut = List.copyOf(leftOut);
        failures = List.copyOf(failures);
    }
}
