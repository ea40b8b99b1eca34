package io.rdmanet.loopback.ring;

import io.rdmanet.verbs.GlobalRouteDescriptor;
import io.rdmanet.verbs.PathMtu;

/// Where datagrams wait whose receive is in memory out of the sender's reach: a berth for each slot
/// of a pool. Whoever has taken the receive writes there; its owner copies when it polls.
///
/// ```
///  0                              40                              4160
/// +------------------------------+-------------------------------+
/// | global route                 | payload, 0 to 4096 bytes      |  slot 0
/// +------------------------------+-------------------------------+
/// |                                                              |  slot 1
/// ```
public final class LandingDescriptor {
    /// From one berth to the next: the longest datagram, in whole lines.
    public static final int STRIDE =
            (GlobalRouteDescriptor.BYTES + PathMtu.MTU_4096.bytes() + QueuePairDescriptor.LINE - 1)
                    / QueuePairDescriptor.LINE
                    * QueuePairDescriptor.LINE;

    private LandingDescriptor() {}

    /// Bytes of the whole.
    public static long bytes(int slots) {
        return Math.max(1, (long) slots) * STRIDE;
    }

    /// Where the berth of a slot begins.
    public static long offset(int slot) {
        return (long) slot * STRIDE;
    }
}
