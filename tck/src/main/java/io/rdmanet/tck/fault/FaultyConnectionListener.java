package io.rdmanet.tck.fault;

import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// A listener of a [FaultyProvider].
final class FaultyConnectionListener implements ConnectionListener {
    private final FaultyConnectionManager manager;
    private final ConnectionListener target;
    private final Tracked tracked;

    FaultyConnectionListener(
            FaultyConnectionManager manager, ConnectionListener target, Tracked tracked) {
        this.manager = manager;
        this.target = target;
        this.tracked = tracked;
    }

    @Override
    public InetSocketAddress localAddress() {
        return target.localAddress();
    }

    @Override
    public @Nullable ConnectionIdentifier awaitRequest(long timeoutNanos) throws VerbsException {
        ConnectionIdentifier request = target.awaitRequest(timeoutNanos);
        return request == null ? null : manager.wrapRequest(request);
    }

    @Override
    public void close() {
        target.close();
        tracked.closed();
    }
}
