package io.rdmanet.disni;

import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Takes connection requests through DiSNI.
final class DisniConnectionListener implements ConnectionListener {
    private static final String VERB = "rdma_get_request";

    private final DisniConnectionManager manager;
    private final CommunicationIdentifier identifier;
    private final InetSocketAddress address;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /// @param identifier which listens already
    DisniConnectionListener(
            DisniConnectionManager manager,
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
        long deadline = System.nanoTime() + Math.min(timeoutNanos, TimeUnit.DAYS.toNanos(365));
        CommunicationIdentifier request = identifier.awaitRequest(VERB, timeoutNanos);
        while (request != null) {
            DisniConnectionIdentifier taken = take(request);
            if (taken != null) {
                return taken;
            }
            request = identifier.awaitRequest(VERB, deadline - System.nanoTime());
        }
        return null;
    }

    /// Takes a request over, unless its client has gone already.
    private @Nullable DisniConnectionIdentifier take(CommunicationIdentifier request)
            throws VerbsException {
        boolean isTaken = false;
        try {
            InetSocketAddress remote = request.remoteAddress();
            if (remote == null) {
                return null;
            }
            DisniConnectionIdentifier taken =
                    DisniConnectionIdentifier.requested(manager, request, remote);
            manager.add(taken);
            isTaken = true;
            return taken;
        } catch (VerbsException e) {
            throw e;
        } catch (IOException e) {
            throw DisniFailure.of(VERB, e, "taking a request at " + this);
        } finally {
            if (!isTaken) {
                request.destroy();
            }
        }
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
