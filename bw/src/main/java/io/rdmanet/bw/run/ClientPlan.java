package io.rdmanet.bw.run;

import io.rdmanet.EndpointOptions;
import io.rdmanet.PollMode;
import io.rdmanet.RawVerb;
import java.net.InetSocketAddress;
import java.util.List;

/// What a client measures.
///
/// @param server where the server listens
/// @param endpoint provider, device, set-up and deadline
/// @param mode the tier
/// @param sizes bytes of each message, one measurement each
/// @param count messages of a run, or 0 to go by time
/// @param limitNanos time of a run, or 0 to go by count
/// @param batch messages per call; not used by the raw tier
/// @param depth credit window, or transmit depth in the raw tier
/// @param pollMode how threads wait; the raw tier always polls
/// @param rawPosting how the raw tier posts
/// @param verb raw: what each message is
/// @param oneBuffer raw: whether all messages lie in one buffer
/// @param warmUpNanos time of the warm-up before the first size, 0 for none
/// @param repeats runs of each size
/// @param verify whether payloads are written and checked
/// @param probe whether to measure where time goes
/// @param seed of the payloads
public record ClientPlan(
        InetSocketAddress server,
        EndpointOptions endpoint,
        Mode mode,
        List<Integer> sizes,
        long count,
        long limitNanos,
        int batch,
        int depth,
        PollMode pollMode,
        RawPosting rawPosting,
        RawVerb verb,
        boolean oneBuffer,
        long warmUpNanos,
        int repeats,
        boolean verify,
        boolean probe,
        long seed) {
    /// How the raw tier posts work requests.
    public enum RawPosting {
        /// In chains, the last of each signalled.
        CHAINED,
        /// One at a time, each signalled.
        SINGLE
    }

    public ClientPlan {
        sizes = List.copyOf(sizes);
        if (sizes.isEmpty() || repeats < 1 || (count <= 0 && limitNanos <= 0)) {
            throw new IllegalArgumentException(
                    "nothing to measure: "
                            + sizes.size()
                            + " sizes, "
                            + repeats
                            + " repeats, count "
                            + count
                            + ", nanoseconds "
                            + limitNanos);
        }
    }
}
