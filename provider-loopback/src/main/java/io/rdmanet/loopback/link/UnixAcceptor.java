package io.rdmanet.loopback.link;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Takes the connections of a Unix-domain socket in turns of a reactor. Whoever bound it closes it;
/// removing the socket's file is the caller's business too.
public final class UnixAcceptor implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(UnixAcceptor.class.getName());
    private static final int BACKLOG = 128;

    /// After a failed accept (no file descriptor left): the socket stays ready, and would spin.
    private static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ServerSocketChannel server;

    /// Who gets the connections, in turns of the reactor.
    public interface Admission {
        /// Takes a connection over.
        ///
        /// @param channel in non-blocking mode; it is the callee's to close
        void admit(SocketChannel channel);
    }

    private UnixAcceptor(ServerSocketChannel server) {
        this.server = server;
    }

    /// Binds the socket; connections wait until [#start].
    public static UnixAcceptor bind(Path socket) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.configureBlocking(false);
            server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
            return new UnixAcceptor(server);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /// Begins to take connections. Any thread.
    public void start(Reactor reactor, Admission admission) {
        Handler handler = new Handler(reactor, admission);
        if (!reactor.execute(handler::register)) {
            close();
        }
    }

    /// Takes no more connections.
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException nothingToSave) {
            // it is of no use any more in any case
        }
    }

    private final class Handler implements ReadyHandler {
        private final Reactor reactor;
        private final Admission admission;

        Handler(Reactor reactor, Admission admission) {
            this.reactor = reactor;
            this.admission = admission;
        }

        void register() {
            try {
                reactor.register(server, SelectionKey.OP_ACCEPT, this);
            } catch (IOException closedMeanwhile) {
                close();
            }
        }

        @Override
        public void onReady(SelectionKey key) throws IOException {
            for (SocketChannel channel = accept(key); channel != null; channel = accept(key)) {
                channel.configureBlocking(false);
                admission.admit(channel);
            }
        }

        private @Nullable SocketChannel accept(SelectionKey key) throws IOException {
            try {
                return server.accept();
            } catch (ClosedChannelException e) {
                throw e;
            } catch (IOException noDescriptorLeft) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "cannot take a connection, trying again in 100 ms",
                        noDescriptorLeft);
                pause(key);
                return null;
            }
        }

        private void pause(SelectionKey key) {
            key.interestOps(0);
            reactor.schedule(
                    ACCEPT_PAUSE_NANOS,
                    () -> {
                        if (key.isValid()) {
                            key.interestOps(SelectionKey.OP_ACCEPT);
                        }
                    });
        }

        @Override
        public void onFailure(Throwable failure) {
            if (server.isOpen()) {
                LOGGER.log(System.Logger.Level.ERROR, "no more connections are taken", failure);
                close();
            }
        }

        @Override
        public void onReactorClosed() {
            close();
        }
    }
}
