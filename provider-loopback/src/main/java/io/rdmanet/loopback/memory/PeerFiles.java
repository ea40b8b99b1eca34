package io.rdmanet.loopback.memory;

import io.rdmanet.loopback.link.Instance;
import io.rdmanet.verbs.GlobalIdentifier;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The shared memory of one device, by name.
///
/// @param owner the device's GID
public record PeerFiles(GlobalIdentifier owner) {
    /// Maps a file of the device's.
    ///
    /// @throws IOException if the device or the file is not there (any more)
    public MemorySegment map(String name, Arena arena) throws IOException {
        return SharedFile.map(Instance.findMemoryFile(owner, name), arena);
    }
}
