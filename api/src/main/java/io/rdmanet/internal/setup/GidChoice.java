package io.rdmanet.internal.setup;

import io.rdmanet.EndpointOptions;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.VerbsException;
import java.util.Comparator;
import java.util.List;

/// Which GID of a port to connect with.
///
/// When none is asked for, the first of these that tells two apart decides:
///
/// 1. RoCE v2 before InfiniBand before RoCE v1 (v1 is not routed, and often filtered)
/// 2. one with a network interface before one without (without, packets do not leave)
/// 3. global before link-local before loopback
/// 4. IPv4-mapped before IPv6
/// 5. the lower index
public final class GidChoice {
    private static final int GLOBAL = 0;
    private static final int LINK_LOCAL = 1;
    private static final int LOOPBACK = 2;

    private static final int IPV4_LINK_LOCAL_PREFIX = 169 << 8 | 254;

    private static final Comparator<GidEntry> BEST_FIRST =
            Comparator.comparingInt((GidEntry entry) -> typeRank(entry.type()))
                    .thenComparingInt(entry -> entry.networkDevice().isEmpty() ? 1 : 0)
                    .thenComparingInt(entry -> scope(entry.gid()))
                    .thenComparingInt(entry -> entry.gid().isIpv4Mapped() ? 0 : 1)
                    .thenComparingInt(GidEntry::index);

    private GidChoice() {}

    /// Chooses.
    ///
    /// @param table the used entries of the port's table
    /// @param requestedIndex the index asked for, or [EndpointOptions#AUTOMATIC]
    /// @param port the port in words, for messages: `port 1 of rxe0`
    /// @throws VerbsException if the table is empty or has no entry of that index; the message
    ///   lists what there is
    public static GidEntry choose(List<GidEntry> table, int requestedIndex, String port)
            throws VerbsException {
        if (table.isEmpty()) {
            throw new VerbsException(
                    "choosing a GID",
                    port + " has none: give its network interface an address and bring it up");
        }
        if (requestedIndex == EndpointOptions.AUTOMATIC) {
            return table.stream().min(BEST_FIRST).orElseThrow();
        }
        for (GidEntry entry : table) {
            if (entry.index() == requestedIndex) {
                return entry;
            }
        }
        throw new VerbsException(
                "choosing a GID",
                port + " has no GID of index " + requestedIndex + "; it has " + describe(table));
    }

    /// A table in words, for messages.
    public static String describe(List<GidEntry> table) {
        StringBuilder text = new StringBuilder();
        for (GidEntry entry : table) {
            text.append(text.isEmpty() ? "" : ", ").append(describe(entry));
        }
        return text.toString();
    }

    /// An entry in words: `1: 0000:...:0a00:0001 (ROCE_V2, eth0)`.
    public static String describe(GidEntry entry) {
        String device = entry.networkDevice().isEmpty() ? "no netdev" : entry.networkDevice();
        return entry.index() + ": " + entry.gid() + " (" + entry.type() + ", " + device + ")";
    }

    private static int typeRank(GidType type) {
        return switch (type) {
            case ROCE_V2 -> 0;
            case INFINIBAND -> 1;
            case ROCE_V1 -> 2;
        };
    }

    private static int scope(GlobalIdentifier gid) {
        if (gid.isLoopback()) {
            return LOOPBACK;
        }
        boolean isIpv4LinkLocal =
                gid.isIpv4Mapped() && (gid.low() >>> 16 & 0xffff) == IPV4_LINK_LOCAL_PREFIX;
        return gid.isLinkLocal() || isIpv4LinkLocal ? LINK_LOCAL : GLOBAL;
    }
}
