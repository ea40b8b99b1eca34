package io.rdmanet.verbs;

import static java.util.Objects.requireNonNull;

/// One entry of a port's GID table.
///
/// @param index its index, as `-x` of the tools takes it
/// @param gid the GID, never zero
/// @param type the protocol it stands for
/// @param networkDevice the network interface behind it, or an empty string if there is none
public record GidEntry(int index, GlobalIdentifier gid, GidType type, String networkDevice) {
    public GidEntry {
        requireNonNull(gid, "gid");
        requireNonNull(type, "type");
        requireNonNull(networkDevice, "networkDevice");
    }
}
