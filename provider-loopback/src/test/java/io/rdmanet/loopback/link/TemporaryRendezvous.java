package io.rdmanet.loopback.link;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A rendezvous directory of a test's own, named to this process by the system property. The path
/// is short, as sockets need it to be.
public final class TemporaryRendezvous implements AutoCloseable {
    private final Path parent;
    private final Path path;

    private TemporaryRendezvous(Path parent) {
        this.parent = parent;
        this.path = parent.resolve("r");
        System.setProperty(RendezvousDirectory.PROPERTY, path.toString());
    }

    public static TemporaryRendezvous create() throws IOException {
        return new TemporaryRendezvous(Files.createTempDirectory("rdl"));
    }

    /// A place for the test's own files.
    Path parent() {
        return parent;
    }

    /// The directory; the first instance creates it.
    public Path path() {
        return path;
    }

    @Override
    public void close() {
        System.clearProperty(RendezvousDirectory.PROPERTY);
        PrivateDirectory.deleteRecursively(parent);
    }
}
