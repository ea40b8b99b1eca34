package io.rdmanet.loopback.connection;

import io.rdmanet.loopback.link.Hub;
import io.rdmanet.loopback.link.PortClaim;
import io.rdmanet.loopback.link.UnixAcceptor;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionException.Reason;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// rdma_cm for the loopback device: connections by the addresses of this machine, over Unix-domain
/// sockets in the user's rendezvous directory.
///
/// Ports are a namespace of the user's loopback devices, apart from TCP's, and one port has one
/// listener whatever its address. The connection's socket stays open as its life line. All sockets
/// are watched by the device's own thread; callers wait on conditions, which suits virtual threads.
public final class LoopbackConnectionManager implements ConnectionManager {
    private static final int MAX_PORT = 65_535;

    private final VerbsProvider provider;
    private final Context context;
    private final Hub hub;
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    /// @param context the device, which the manager closes with itself
    /// @param hub the device's hub, which stays the context's
    public LoopbackConnectionManager(VerbsProvider provider, Context context, Hub hub) {
        this.provider = provider;
        this.context = context;
        this.hub = hub;
    }

    @Override
    public VerbsProvider provider() {
        return provider;
    }

    Context context() {
        return context;
    }

    Hub hub() {
        return hub;
    }

    @Override
    public ConnectionListener listen(InetSocketAddress address, int backlog) throws VerbsException {
        requireOpen();
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog must be at least 1, is " + backlog);
        }
        LocalAddresses.require(address, "rdma_bind_addr");
        PortClaim claim = address.getPort() == 0 ? claimFree() : claim(address.getPort());
        try {
            UnixAcceptor acceptor = UnixAcceptor.bind(claim.socket());
            LoopbackConnectionListener listener =
                    new LoopbackConnectionListener(
                            this,
                            new InetSocketAddress(address.getAddress(), claim.port()),
                            backlog,
                            claim,
                            acceptor);
            open.add(listener);
            acceptor.start(hub.reactor(), listener);
            return listener;
        } catch (IOException e) {
            claim.close();
            throw new VerbsException("rdma_listen", "cannot bind " + claim.socket() + ": " + e, e);
        }
    }

    private PortClaim claim(int port) throws VerbsException {
        PortClaim claim = PortClaim.take(hub.instance(), port);
        if (claim == null) {
            throw new ConnectionException(
                    "rdma_bind_addr",
                    Reason.ADDRESS_IN_USE,
                    "port "
                            + port
                            + " has a loopback listener already ("
                            + hub.instance().rendezvous().listenerSocket(port)
                            + "); stop it, or take another port");
        }
        return claim;
    }

    /// From a random port on upwards, so that listeners rarely try the same ones.
    private PortClaim claimFree() throws VerbsException {
        int count = LocalAddresses.LAST_PORT - LocalAddresses.FIRST_EPHEMERAL_PORT + 1;
        int start = LocalAddresses.randomPort() - LocalAddresses.FIRST_EPHEMERAL_PORT;
        for (int i = 0; i < count; i++) {
            int port = LocalAddresses.FIRST_EPHEMERAL_PORT + (start + i) % count;
            PortClaim claim = PortClaim.take(hub.instance(), port);
            if (claim != null) {
                return claim;
            }
        }
        throw new ConnectionException(
                "rdma_bind_addr",
                Reason.ADDRESS_IN_USE,
                "all ports from " + LocalAddresses.FIRST_EPHEMERAL_PORT + " on have a listener");
    }

    @Override
    public ConnectionIdentifier resolve(
            InetSocketAddress destination, @Nullable InetSocketAddress source, long timeoutNanos)
            throws VerbsException {
        requireOpen();
        LocalAddresses.require(destination, "rdma_resolve_addr");
        if (destination.getPort() < 1 || destination.getPort() > MAX_PORT) {
            throw new ConnectionException(
                    "rdma_resolve_addr", Reason.ADDRESS_ERROR, "no port in " + destination);
        }
        InetSocketAddress asked = source == null ? wildcard() : source;
        LocalAddresses.require(asked, "rdma_resolve_addr");
        InetSocketAddress remote = LocalAddresses.destination(destination);
        LoopbackConnectionIdentifier identifier =
                LoopbackConnectionIdentifier.dialling(
                        this, LocalAddresses.source(remote, asked), remote);
        open.add(identifier);
        return identifier;
    }

    private static InetSocketAddress wildcard() {
        return new InetSocketAddress((@Nullable InetAddress) null, 0);
    }

    /// A request that a listener hands out is the program's to close from then on.
    void taken(LoopbackConnectionIdentifier identifier) {
        open.add(identifier);
    }

    void forget(AutoCloseable closed) {
        open.remove(closed);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("the connection manager is closed");
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        if (!open.isEmpty()) {
            throw new IllegalStateException(
                    "the connection manager still has open listeners or identifiers: " + open);
        }
        isClosed = true;
        context.close();
    }
}
