package io.rdmanet.internal.setup;

import io.rdmanet.EndpointOptions;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.ProviderSelection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// Listens through rdma_cm.
final class ConnectionManagerAcceptor implements Acceptor {
    /// Requests that may wait to be taken.
    private static final int BACKLOG = 128;

    /// How long one wait lasts; the loop asks again. Bounds the wait of a provider that closing
    /// does not wake.
    private static final long WAIT_NANOS = 500_000_000L;

    private final ProviderSelection selection;
    private final SharedResource<ConnectionManager> manager;
    private final ConnectionListener listener;
    private final EndpointOptions options;
    private final Role role;
    private boolean isClosed;

    private ConnectionManagerAcceptor(
            ProviderSelection selection,
            SharedResource<ConnectionManager> manager,
            ConnectionListener listener,
            EndpointOptions options,
            Role role) {
        this.selection = selection;
        this.manager = manager;
        this.listener = listener;
        this.options = options;
        this.role = role;
    }

    static ConnectionManagerAcceptor listen(
            ProviderSelection selection,
            InetSocketAddress address,
            EndpointOptions options,
            Role role)
            throws IOException {
        ConnectionManagerRendezvous.requireCapabilities(selection, options, address);
        Addresses.requireResolved(address, "rdma_bind_addr");
        ConnectionManager manager = selection.provider().openConnectionManager();
        try {
            ConnectionListener listener =
                    manager.listen(ofDevice(address, selection, options), BACKLOG);
            return new ConnectionManagerAcceptor(
                    selection,
                    new SharedResource<>(manager, manager::close),
                    listener,
                    options,
                    role);
        } catch (ConnectionException failure) {
            manager.close();
            throw explained(address, failure);
        } catch (IOException | RuntimeException failure) {
            manager.close();
            throw failure;
        }
    }

    /// In place of the wildcard, the address of the device that was asked for.
    private static InetSocketAddress ofDevice(
            InetSocketAddress address, ProviderSelection selection, EndpointOptions options)
            throws IOException {
        if (!address.getAddress().isAnyLocalAddress()) {
            return address;
        }
        InetSocketAddress own =
                DeviceAddress.find(selection.provider(), options, address.getAddress());
        return own == null ? address : new InetSocketAddress(own.getAddress(), address.getPort());
    }

    private static ConnectionException explained(
            InetSocketAddress address, ConnectionException failure) {
        String hint =
                switch (failure.reason()) {
                    case ADDRESS_IN_USE ->
                            "another program listens there: end it, or choose another port";
                    case ADDRESS_ERROR -> "is it the address of an RDMA device of this machine?";
                    default -> "the provider could not listen";
                };
        ConnectionException explained =
                new ConnectionException(
                        failure.verb(),
                        failure.reason(),
                        AddressText.describe(address)
                                + " (rdma_cm): "
                                + hint
                                + " ("
                                + failure.getMessage()
                                + ")");
        explained.initCause(failure);
        return explained;
    }

    @Override
    public InetSocketAddress localAddress() {
        return listener.localAddress();
    }

    @Override
    public ProviderSelection selection() {
        return selection;
    }

    @Override
    public @Nullable Inbound awaitInbound() throws IOException {
        SharedResource<ConnectionManager> held = retainManager();
        ConnectionIdentifier identifier = null;
        try {
            identifier = listener.awaitRequest(WAIT_NANOS);
        } finally {
            if (identifier == null) {
                held.release();
            }
        }
        return identifier == null ? null : new ManagedInbound(identifier, held);
    }

    /// Before the wait, not after it: a request that comes in while another thread closes needs a
    /// manager to be refused by.
    private synchronized SharedResource<ConnectionManager> retainManager()
            throws ClosedChannelException {
        if (isClosed) {
            throw new ClosedChannelException();
        }
        return manager.retain();
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            listener.close();
            manager.release();
        }
    }

    /// A connection request. Holds the manager, since that must outlive it.
    private final class ManagedInbound implements Inbound {
        private final ConnectionIdentifier identifier;
        private final SharedResource<ConnectionManager> held;
        private boolean isDone;
        private boolean isBusy;

        ManagedInbound(ConnectionIdentifier identifier, SharedResource<ConnectionManager> held) {
            this.identifier = identifier;
            this.held = held;
        }

        @Override
        public String peer() {
            return AddressText.describe(identifier.remoteAddress());
        }

        @Override
        public Rendezvous rendezvous(Deadline deadline) throws IOException {
            synchronized (this) {
                if (isDone) {
                    throw new IOException(peer() + ": the request was closed");
                }
                isBusy = true;
            }
            boolean isTaken = false;
            try {
                Rendezvous rendezvous =
                        ConnectionManagerRendezvous.accept(
                                selection, held, identifier, options, role);
                isTaken = true;
                return rendezvous;
            } finally {
                finish(isTaken);
            }
        }

        /// A rendezvous has taken the identifier over, or nobody will.
        private void finish(boolean isTaken) {
            synchronized (this) {
                isDone = true;
            }
            if (!isTaken) {
                identifier.close();
            }
            held.release();
        }

        @Override
        public void refuse(String why) {
            ConnectionManagerRendezvous.refuse(identifier, role, why);
            close();
        }

        /// Requests are looked at without waiting: there is no wait to end.
        @Override
        public void close() {
            synchronized (this) {
                if (isDone || isBusy) {
                    return;
                }
                isDone = true;
            }
            identifier.close();
            held.release();
        }
    }
}
