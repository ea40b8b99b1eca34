package io.rdmanet.bw.run;

import io.rdmanet.DeadlineException;
import io.rdmanet.Listener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/// The server's side: takes clients and follows each through its runs, until the client closes.
///
/// Belongs to one thread; [#close()] may come from any, and ends it.
public final class Server implements AutoCloseable {
    /// Waiting for a client has no end; this is how often the wait begins anew.
    private static final Duration ACCEPT_SLICE = Duration.ofHours(1);

    private final ServerPlan plan;
    private final Observer observer;
    private final RunMonitor monitor;
    private final Endpoint endpoint;

    private Server(ServerPlan plan, Observer observer, RunMonitor monitor) throws IOException {
        this.plan = plan;
        this.observer = observer;
        this.monitor = monitor;
        endpoint = plan.isRaw() ? new RawServing(plan, observer) : new ConnServing(plan, observer);
    }

    /// Begins to listen.
    public static Server listen(ServerPlan plan, Observer observer, RunMonitor monitor)
            throws IOException {
        Server server = new Server(plan, observer, monitor);
        Listener<?> listener = server.endpoint.listener();
        observer.listening(listener.localAddress(), listener.provider(), listener.providerReason());
        return server;
    }

    /// Where it listens, with the real port.
    public InetSocketAddress address() {
        return endpoint.listener().localAddress();
    }

    /// Serves one client, or one after another if the plan says so; then a client's failure ends
    /// nothing but that client.
    ///
    /// @return wrong messages that were received
    public long serve() throws IOException {
        long badMessages = 0;
        do {
            try {
                badMessages += endpoint.serveOne(monitor);
            } catch (ClientFailedException e) {
                if (!plan.loops()) {
                    throw e.failure();
                }
                observer.failed(e.failure());
            }
        } while (plan.loops() && !monitor.stopRequested());
        return badMessages;
    }

    /// Waits for a client for as long as it takes.
    static <C extends AutoCloseable> C accept(Listener<C> listener) throws IOException {
        while (true) {
            try {
                return listener.accept(ACCEPT_SLICE);
            } catch (DeadlineException e) {
                // Nobody came yet.
            }
        }
    }

    @Override
    public void close() {
        endpoint.close();
    }

    /// One of the two kinds of servers.
    interface Endpoint extends AutoCloseable {
        Listener<?> listener();

        /// Waits for a client and serves it until it closes.
        ///
        /// @return wrong messages that were received
        /// @throws ClientFailedException if this client failed; the server can go on
        /// @throws IOException if the server cannot go on
        long serveOne(RunMonitor monitor) throws IOException, ClientFailedException;

        @Override
        void close();
    }

    /// A failure that concerns one client.
    static final class ClientFailedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final IOException failure;

        ClientFailedException(IOException failure) {
            super(failure);
            this.failure = failure;
        }

        IOException failure() {
            return failure;
        }
    }
}
