package io.rdmanet.tck.fault;

import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionManager;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The connection manager of a [FaultyProvider].
final class FaultyConnectionManager implements ConnectionManager {
    private final VerbsProvider provider;
    private final FaultPlan plan;
    private final ConnectionManager target;
    private final Tracked tracked;
    private final Map<Context, FaultyContext> contexts = new ConcurrentHashMap<>();

    FaultyConnectionManager(
            VerbsProvider provider, FaultPlan plan, ConnectionManager target, Tracked tracked) {
        this.provider = provider;
        this.plan = plan;
        this.target = target;
        this.tracked = tracked;
    }

    @Override
    public VerbsProvider provider() {
        return provider;
    }

    @Override
    public ConnectionListener listen(InetSocketAddress address, int backlog) throws VerbsException {
        return Tracked.create(
                plan,
                Resource.CONNECTION_LISTENER,
                () -> target.listen(address, backlog),
                (listener, made) -> new FaultyConnectionListener(this, listener, made));
    }

    @Override
    public ConnectionIdentifier resolve(
            InetSocketAddress destination, @Nullable InetSocketAddress source, long timeoutNanos)
            throws VerbsException {
        return Tracked.create(
                plan,
                Resource.CONNECTION_IDENTIFIER,
                () -> target.resolve(destination, source, timeoutNanos),
                this::wrap);
    }

    /// A request that came in: nobody asked for its creation, so none is ordered to fail.
    ConnectionIdentifier wrapRequest(ConnectionIdentifier request) {
        return wrap(request, Tracked.existing(plan, Resource.CONNECTION_IDENTIFIER));
    }

    private ConnectionIdentifier wrap(ConnectionIdentifier identifier, Tracked made) {
        FaultyContext context =
                contexts.computeIfAbsent(
                        identifier.context(),
                        inner -> new FaultyContext(provider, plan, inner, null));
        return new FaultyConnectionIdentifier(context, identifier, made);
    }

    @Override
    public void close() {
        target.close();
        tracked.closed();
    }
}
