package io.rdmanet.internal.setup;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// A connection made through rdma_cm, which reports the end of the peer as an event.
///
/// `isPeerGone`, `isDeviceLost` and `isClosed` are guarded by the monitor; the rest does not
/// change.
final class ConnectionManagerLink implements Link {
    private static final int UNKNOWN = -1;

    private final SharedResource<ConnectionManager> manager;
    private final ConnectionIdentifier identifier;
    private final Context context;
    private final DeviceWatch deviceWatch;
    private final InetSocketAddress localAddress;
    private final InetSocketAddress remoteAddress;
    private final ConnectionDescription description;
    private boolean isPeerGone;
    private boolean isDeviceLost;
    private boolean isClosed;

    ConnectionManagerLink(
            ProviderSelection selection,
            SharedResource<ConnectionManager> manager,
            ConnectionIdentifier identifier,
            QueuePair queuePair)
            throws VerbsException {
        this.manager = manager;
        this.identifier = identifier;
        this.context = identifier.context();
        this.deviceWatch = DeviceWatch.of(context);
        this.localAddress = identifier.localAddress();
        this.remoteAddress = identifier.remoteAddress();
        this.description = describe(selection, identifier, queuePair);
    }

    private static ConnectionDescription describe(
            ProviderSelection selection, ConnectionIdentifier identifier, QueuePair queuePair)
            throws VerbsException {
        Context context = identifier.context();
        QueuePairAttributes facts = query(queuePair);
        boolean hasPath = facts.has(Attribute.ADDRESS_VECTOR);
        int gidIndex = hasPath ? facts.addressVector().sourceGidIndex() : UNKNOWN;
        return new ConnectionDescription(
                selection.provider().name(),
                selection.reason(),
                context.deviceName(),
                identifier.portNumber(),
                context.queryPort(identifier.portNumber()).linkLayer(),
                ConnectionSetup.RDMA_CM,
                facts.has(Attribute.PATH_MTU) ? facts.pathMtu() : mtuOfPort(identifier),
                gidIndex,
                localGid(selection, identifier, gidIndex),
                hasPath ? facts.addressVector().destinationGid() : null,
                queuePair.number(),
                number(facts, Attribute.DESTINATION_QUEUE_PAIR_NUMBER),
                number(facts, Attribute.SEND_PACKET_SEQUENCE_NUMBER),
                number(facts, Attribute.RECEIVE_PACKET_SEQUENCE_NUMBER),
                queuePair.capacity().maxInlineData());
    }

    /// The queue pair's attributes; none from a provider that cannot tell.
    private static QueuePairAttributes query(QueuePair queuePair) {
        try {
            return queuePair.query();
        } catch (VerbsException cannotTell) {
            return QueuePairAttributes.none();
        }
    }

    private static @Nullable PathMtu mtuOfPort(ConnectionIdentifier identifier)
            throws VerbsException {
        return identifier.context().queryPort(identifier.portNumber()).activeMtu();
    }

    private static @Nullable GlobalIdentifier localGid(
            ProviderSelection selection, ConnectionIdentifier identifier, int gidIndex)
            throws VerbsException {
        if (selection.provider().capabilities().contains(Capability.GID_CHOICE)) {
            for (GidEntry entry : identifier.context().gidTable(identifier.portNumber())) {
                if (entry.index() == gidIndex) {
                    return entry.gid();
                }
            }
        }
        return null;
    }

    private static int number(QueuePairAttributes facts, Attribute attribute) {
        return facts.has(attribute) ? facts.number(attribute) : UNKNOWN;
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    public ConnectionDescription description() {
        return description;
    }

    @Override
    public synchronized boolean isPeerGone() {
        try {
            while (!isPeerGone && !isClosed) {
                ConnectionEvent event =
                        deviceWatch.isLost(context)
                                ? ConnectionEvent.DEVICE_REMOVED
                                : identifier.pollEvent();
                if (event == null) {
                    return false;
                }
                isDeviceLost |= event == ConnectionEvent.DEVICE_REMOVED;
                isPeerGone = isDeviceLost || event == ConnectionEvent.DISCONNECTED;
            }
        } catch (VerbsException noMoreEvents) {
            isPeerGone = true;
        }
        return isPeerGone || isClosed;
    }

    @Override
    public synchronized String howGone() {
        return isDeviceLost ? TcpDevice.DEVICE_LOST + description.device() : Link.super.howGone();
    }

    @Override
    public String route() {
        return RouteDescription.of(context, description);
    }

    @Override
    public boolean isPortDown() {
        return RouteDescription.isPortDown(context, description.portNumber());
    }

    @Override
    public void disconnect() {
        try {
            identifier.disconnect();
        } catch (VerbsException | IllegalStateException peerHasGone) {
            // Then it is disconnected.
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        disconnect();
        identifier.close();
        manager.release();
    }
}
