package io.rdmanet.loopback.link;

import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A port of the connection manager's that belongs to an instance, and the path of its socket.
///
/// Ports are a namespace of their own among the loopback devices of one user: TCP's ports are not
/// touched. Who claimed it closes it. Safe for use by any thread.
public final class PortClaim implements AutoCloseable {
    private final Instance instance;
    private final int port;
    private final Path socket;
    private final Path owner;

    private PortClaim(Instance instance, int port) {
        this.instance = instance;
        this.port = port;
        this.socket = instance.rendezvous().listenerSocket(port);
        this.owner = instance.rendezvous().listenerOwner(port);
    }

    /// Takes a port for an instance; one whose owner has died is taken over.
    ///
    /// @return the claim, or null if a living instance has the port
    public static @Nullable PortClaim take(Instance instance, int port) throws VerbsException {
        RendezvousDirectory rendezvous = instance.rendezvous();
        return DirectoryLock.<@Nullable PortClaim>with(
                rendezvous,
                () -> {
                    if (!Leftovers.removeListenerIfDead(rendezvous, port)) {
                        return null;
                    }
                    PortClaim claim = new PortClaim(instance, port);
                    instance.own(claim.socket);
                    instance.own(claim.owner);
                    Files.writeString(claim.owner, RendezvousDirectory.instanceName(instance.id()));
                    return claim;
                });
    }

    /// The port.
    public int port() {
        return port;
    }

    /// Where to bind the listener.
    public Path socket() {
        return socket;
    }

    /// Gives the port up.
    @Override
    public void close() {
        instance.disown(socket);
        instance.disown(owner);
        try {
            // In this order: while there is an owner nobody else binds the socket.
            Files.deleteIfExists(socket);
            Files.deleteIfExists(owner);
        } catch (IOException leftForTheNextStart) {
            // as after a kill
        }
    }
}
