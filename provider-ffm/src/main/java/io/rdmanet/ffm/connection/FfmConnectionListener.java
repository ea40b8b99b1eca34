package io.rdmanet.ffm.connection;

import io.rdmanet.ffm.c.CommunicationIdentifierDescriptor;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Takes connection requests through librdmacm. The kernel holds those that nobody has taken yet,
/// and rejects them when the listener closes.
final class FfmConnectionListener implements ConnectionListener {
    private final FfmConnectionManager manager;
    private final CommunicationIdentifier identifier;
    private final InetSocketAddress address;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile boolean isDeviceRemoved;

    /// @param identifier which listens already
    FfmConnectionListener(
            FfmConnectionManager manager,
            CommunicationIdentifier identifier,
            InetSocketAddress address) {
        this.manager = manager;
        this.identifier = identifier;
        this.address = address;
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public @Nullable ConnectionIdentifier awaitRequest(long timeoutNanos) throws VerbsException {
        if (isDeviceRemoved) {
            throw deviceRemoved();
        }
        return identifier.awaitEvent("rdma_get_request", timeoutNanos, this::request);
    }

    private @Nullable ConnectionIdentifier request(CommunicationEvent event) throws VerbsException {
        return switch (event.type()) {
            case CONNECT_REQUEST -> take(event);
            case DEVICE_REMOVAL -> {
                isDeviceRemoved = true;
                throw deviceRemoved();
            }
            default -> null;
        };
    }

    /// Takes a request over, unless its client has given up since: then nobody needs to see it.
    private @Nullable ConnectionIdentifier take(CommunicationEvent event) throws VerbsException {
        InetSocketAddress remote =
                CommunicationIdentifierDescriptor.remoteAddress(event.identifier());
        String name =
                "the connection from "
                        + (remote == null ? "nowhere" : AddressText.describe(remote));
        CommunicationIdentifier taken = CommunicationIdentifier.takeOver(name, event.identifier());
        try {
            if (remote == null) {
                throw new VerbsException("rdma_get_peer_addr", name + ": it has no address");
            }
            if (!new QueuePairConnector(taken, remote).isPeerThere()) {
                taken.destroy();
                return null;
            }
            FfmConnectionIdentifier request =
                    FfmConnectionIdentifier.requested(manager, taken, remote, event.privateData());
            manager.add(request);
            return request;
        } catch (VerbsException | RuntimeException e) {
            taken.destroy();
            throw e;
        }
    }

    private VerbsException deviceRemoved() {
        return new VerbsException("rdma_get_request", "the device of " + this + " was removed");
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            identifier.destroy();
            manager.forget(this);
        }
    }

    @Override
    public String toString() {
        return identifier.toString();
    }
}
