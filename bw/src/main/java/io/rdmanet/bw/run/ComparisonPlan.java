package io.rdmanet.bw.run;

import io.rdmanet.PollMode;
import java.time.Duration;
import java.util.List;

/// What a comparison measures: every provider x mode x size, so many times.
///
/// @param providers providers by name; empty for all that are usable
/// @param modes the tiers
/// @param sizes bytes of each message
/// @param batch messages per call, in the modes that have batches
/// @param repeats how often each cell is measured
/// @param runNanos how long a cell is measured each time
/// @param warmUpNanos how long a cell's new connection runs before
/// @param pollMode how threads wait; the raw tier always polls
/// @param usesTcpHandshake whether the ends connect by the TCP handshake
/// @param address where servers listen and clients connect, or an empty string for an address of
///   the provider's device
/// @param timeout how long a blocking call of a worker, and one cell besides its runs, may take
public record ComparisonPlan(
        List<String> providers,
        List<Mode> modes,
        List<Integer> sizes,
        int batch,
        int repeats,
        long runNanos,
        long warmUpNanos,
        PollMode pollMode,
        boolean usesTcpHandshake,
        String address,
        Duration timeout) {
    /// In flight in the raw tier, and the credit window of the others.
    public static final int DEPTH = 128;

    public ComparisonPlan {
        providers = List.copyOf(providers);
        modes = List.copyOf(modes);
        sizes = List.copyOf(sizes);
    }
}
