package io.rdmanet.tck;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.util.Set;

/// Where the memory of a region comes from: every data path must work with both.
enum MemoryKind {
    /// The provider's own memory.
    ALLOCATED {
        @Override
        MemoryRegion create(
                ProtectionDomain domain, Arena arena, long bytes, Set<AccessFlag> access)
                throws VerbsException {
            return domain.allocate(bytes, access);
        }
    },
    /// The caller's memory, which the provider has not chosen.
    REGISTERED {
        @Override
        MemoryRegion create(
                ProtectionDomain domain, Arena arena, long bytes, Set<AccessFlag> access)
                throws VerbsException {
            return domain.register(arena.allocate(bytes, Long.BYTES), access);
        }
    };

    /// @param arena lives longer than the region
    abstract MemoryRegion create(
            ProtectionDomain domain, Arena arena, long bytes, Set<AccessFlag> access)
            throws VerbsException;
}
