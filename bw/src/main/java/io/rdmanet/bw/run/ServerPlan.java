package io.rdmanet.bw.run;

import io.rdmanet.EndpointOptions;
import io.rdmanet.PollMode;
import java.net.InetSocketAddress;

/// How a server serves.
///
/// @param address where it listens
/// @param endpoint provider, device, set-up and deadline
/// @param isRaw whether it serves raw clients, or those of the other modes
/// @param slotBytes its slots, or 0 to follow the client
/// @param depth its credit window, or 0 to follow the client
/// @param pollMode how threads wait; raw always polls
/// @param loops whether it serves one client after another, or one only
/// @param probe whether to measure where time goes
public record ServerPlan(
        InetSocketAddress address,
        EndpointOptions endpoint,
        boolean isRaw,
        int slotBytes,
        int depth,
        PollMode pollMode,
        boolean loops,
        boolean probe) {
    /// Whether slots and window are the client's to choose.
    boolean followsClient() {
        return slotBytes == 0 && depth == 0;
    }
}
