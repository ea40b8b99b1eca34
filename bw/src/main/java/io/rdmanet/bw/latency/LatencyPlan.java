package io.rdmanet.bw.latency;

import io.rdmanet.EndpointOptions;
import io.rdmanet.PollMode;
import io.rdmanet.bw.run.Mode;
import java.net.InetSocketAddress;

/// What a latency client measures.
///
/// @param server where the server listens
/// @param endpoint provider, device, set-up and deadline
/// @param mode the tier
/// @param size bytes of each message
/// @param batch messages that go to and fro together; 1 but in the batched tier
/// @param rounds how often they do
/// @param warmUpNanos how long they do before that
/// @param pollMode how this end waits; the raw tier always polls
/// @param verify whether payloads are written and checked, on both ends
public record LatencyPlan(
        InetSocketAddress server,
        EndpointOptions endpoint,
        Mode mode,
        int size,
        int batch,
        long rounds,
        long warmUpNanos,
        PollMode pollMode,
        boolean verify) {}
