package io.rdmanet.bw.perftest;

import io.rdmanet.EndpointOptions;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.VerbsException;
import java.util.Comparator;
import java.util.List;

/// Which GID of a port to announce. Unless asked for another, one that stands for an IPv4 address,
/// as the C tools choose it: both ends must be of one kind, or the peer gives up.
final class GidOfPort {
    private static final Comparator<GidEntry> BEST_FIRST =
            Comparator.comparingInt((GidEntry entry) -> entry.gid().isIpv4Mapped() ? 0 : 1)
                    .thenComparingInt(entry -> entry.type() == GidType.ROCE_V1 ? 1 : 0)
                    .thenComparingInt(entry -> entry.networkDevice().isEmpty() ? 1 : 0)
                    .thenComparingInt(entry -> entry.gid().isLinkLocal() ? 1 : 0)
                    .thenComparingInt(GidEntry::index);

    private GidOfPort() {}

    /// Chooses.
    ///
    /// @param table the used entries
    /// @param requested an index, or [EndpointOptions#AUTOMATIC]
    /// @param port the port in words
    /// @throws VerbsException if there is none, or none of that index
    static GidEntry choose(List<GidEntry> table, int requested, String port) throws VerbsException {
        return table.stream()
                .filter(entry ->
                        requested == EndpointOptions.AUTOMATIC || entry.index() == requested)
                .min(BEST_FIRST)
                .orElseThrow(() ->
                        new VerbsException(
                                "choosing a GID",
                                port
                                        + (requested == EndpointOptions.AUTOMATIC
                                                ? " has none: give its network interface"
                                                        + " an address and bring it up"
                                                : " has no GID of index "
                                                        + requested
                                                        + "; it has "
                                                        + indices(table))));
    }

    private static List<Integer> indices(List<GidEntry> table) {
        return table.stream().map(GidEntry::index).toList();
    }
}
