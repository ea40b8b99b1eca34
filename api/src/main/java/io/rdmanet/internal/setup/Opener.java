package io.rdmanet.internal.setup;

import java.io.IOException;

/// Makes a connection of a rendezvous: queues, receives, establishment, HELLO.
///
/// @param <C> the connection
@FunctionalInterface
public interface Opener<C> {
    /// Opens. If it throws, everything that it made is closed again, and the caller closes the
    /// rendezvous.
    ///
    /// @param deadline after which it gives up
    C open(Rendezvous rendezvous, Deadline deadline) throws IOException;
}
