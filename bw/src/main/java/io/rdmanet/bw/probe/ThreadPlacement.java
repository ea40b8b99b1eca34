package io.rdmanet.bw.probe;

import java.util.List;
import java.util.stream.Collectors;

/// Which processors a thread ran on.
///
/// @param name as the system has it: the first 15 characters
/// @param processorMillis processor time it used
/// @param shares where it was seen running, most often first
public record ThreadPlacement(String name, long processorMillis, List<Share> shares) {
    public ThreadPlacement {
        shares = List.copyOf(shares);
    }

    /// A processor that a thread was seen on.
    ///
    /// @param processor its number
    /// @param samples how often the thread was seen there
    public record Share(int processor, int samples) {}

    /// The processors in words: `1 (75 %), 0 (25 %)`.
    public String processors() {
        int all = shares.stream().mapToInt(Share::samples).sum();
        return shares.stream()
                .map(share ->
                        share.processor()
                                + " ("
                                + Math.round(100.0 * share.samples() / all)
                                + " %)")
                .collect(Collectors.joining(", "));
    }
}
