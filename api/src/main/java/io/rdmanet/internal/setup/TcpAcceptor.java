package io.rdmanet.internal.setup;

import io.rdmanet.EndpointOptions;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.setup.HandshakeRecord.Reason;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ProviderSelection;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.jspecify.annotations.Nullable;

/// Listens for exchanges over TCP.
final class TcpAcceptor implements Acceptor {
    /// Connections that the system holds until they are taken.
    private static final int BACKLOG = 128;

    private final TcpDevice device;
    private final ServerSocketChannel channel;
    private final InetSocketAddress localAddress;
    private final Role role;
    private boolean isClosed;

    private TcpAcceptor(TcpDevice device, ServerSocketChannel channel, Role role)
            throws IOException {
        this.device = device;
        this.channel = channel;
        this.localAddress = (InetSocketAddress) channel.getLocalAddress();
        this.role = role;
    }

    static TcpAcceptor listen(
            ProviderSelection selection,
            InetSocketAddress address,
            EndpointOptions options,
            Role role)
            throws IOException {
        Addresses.requireResolved(address, "listen");
        TcpDevice device = TcpDevice.open(selection, options, address.getAddress());
        ServerSocketChannel channel = null;
        try {
            channel = ServerSocketChannel.open();
            channel.bind(address, BACKLOG);
            return new TcpAcceptor(device, channel, role);
        } catch (IOException | RuntimeException failure) {
            if (channel != null) {
                channel.close();
            }
            device.release();
            if (failure instanceof BindException) {
                throw explained(address, failure);
            }
            throw failure;
        }
    }

    private static ConnectionException explained(InetSocketAddress address, Exception failure) {
        String text = String.valueOf(failure.getMessage());
        boolean isInUse = text.contains("in use");
        ConnectionException explained =
                new ConnectionException(
                        "listen",
                        isInUse
                                ? ConnectionException.Reason.ADDRESS_IN_USE
                                : ConnectionException.Reason.ADDRESS_ERROR,
                        AddressText.describe(address)
                                + " (TCP): "
                                + text
                                + (isInUse
                                        ? "; another program listens there: end it, or choose"
                                                + " another port"
                                        : "; is it an address of this machine?"));
        explained.initCause(failure);
        return explained;
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public ProviderSelection selection() {
        return device.selection();
    }

    @Override
    public @Nullable Inbound awaitInbound() throws IOException {
        return new TcpInbound(device, HandshakeSocket.accepted(channel.accept(), role), role);
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            try {
                channel.close();
            } catch (IOException nothingLeftToDo) {
                // The descriptor is released even so.
            }
            device.release();
        }
    }

    /// Somebody who connected. Holds no device until it has shown that it is a peer.
    private record TcpInbound(TcpDevice device, HandshakeSocket socket, Role role)
            implements Inbound {
        @Override
        public String peer() {
            return socket.peer();
        }

        @Override
        public Rendezvous rendezvous(Deadline deadline) throws IOException {
            return TcpRendezvous.accept(device, socket, role, deadline);
        }

        @Override
        public void refuse(String why) {
            socket.refuse(Refusals.of(role, Reason.BUSY, why));
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
