package io.rdmanet.internal.setup;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;

/// A connection made by an exchange over TCP, whose socket is kept: when it ends, the peer has
/// gone.
///
/// `isDisconnected` and `isClosed` are guarded by the monitor; the rest does not change.
final class TcpLink implements Link {
    private final TcpDevice device;
    private final HandshakeSocket socket;
    private final QueuePair queuePair;
    private final ConnectionDescription description;
    private boolean isDisconnected;
    private boolean isClosed;

    TcpLink(
            TcpDevice device,
            HandshakeSocket socket,
            QueuePair queuePair,
            QueuePairEnd own,
            QueuePairEnd peer) {
        this.device = device;
        this.socket = socket;
        this.queuePair = queuePair;
        this.description =
                new ConnectionDescription(
                        device.selection().provider().name(),
                        device.selection().reason(),
                        device.context().deviceName(),
                        own.portNumber(),
                        own.linkLayer(),
                        ConnectionSetup.TCP,
                        PathMtu.min(own.activeMtu(), peer.activeMtu()),
                        own.gidIndex(),
                        own.gid(),
                        peer.gid(),
                        own.queuePairNumber(),
                        peer.queuePairNumber(),
                        own.packetSequence(),
                        peer.packetSequence(),
                        queuePair.capacity().maxInlineData());
    }

    @Override
    public InetSocketAddress localAddress() {
        return socket.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return socket.remoteAddress();
    }

    @Override
    public ConnectionDescription description() {
        return description;
    }

    @Override
    public boolean isPeerGone() {
        return socket.isPeerGone() || device.isLost();
    }

    @Override
    public String howGone() {
        return device.isLost() ? device.howLost() : Link.super.howGone();
    }

    @Override
    public String route() {
        return RouteDescription.of(device.context(), description);
    }

    @Override
    public boolean isPortDown() {
        return RouteDescription.isPortDown(device.context(), description.portNumber());
    }

    @Override
    public synchronized void disconnect() {
        if (isDisconnected) {
            return;
        }
        isDisconnected = true;
        try {
            queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        } catch (VerbsException | IllegalStateException closedAlready) {
            // A queue pair that is closed, or that its device lost, has no work left to flush.
        }
        socket.shutdown();
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            disconnect();
            socket.close();
            device.release();
        }
    }
}
