package io.rdmanet.loopback.connection;

import static java.util.Objects.requireNonNull;

import io.rdmanet.loopback.connection.FakeDevice.FakeQueuePair;
import io.rdmanet.loopback.link.TemporaryRendezvous;
import io.rdmanet.verbs.ConnectionException;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionListener;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Two devices in this process, of which one listens. To be closed, which closes what was dialled.
final class TwoDevices implements AutoCloseable {
    static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    final TemporaryRendezvous temporary = TemporaryRendezvous.create();
    final FakeDevice server = new FakeDevice();
    final FakeDevice client = new FakeDevice();
    final ConnectionListener listener = server.manager.listen(new InetSocketAddress(0), 8);
    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<ConnectionIdentifier> dialled = new ArrayList<>();

    TwoDevices() throws IOException {}

    int port() {
        return listener.localAddress().getPort();
    }

    ConnectionIdentifier dial() throws VerbsException {
        return dialTo(Throwing.loopback(port()));
    }

    ConnectionIdentifier dialTo(InetSocketAddress address) throws VerbsException {
        ConnectionIdentifier active = track(client.manager.resolve(address, null, SECOND));
        active.createQueuePair(client.protectionDomain, attributes());
        return active;
    }

    ConnectionIdentifier track(ConnectionIdentifier identifier) {
        dialled.add(identifier);
        return identifier;
    }

    Future<?> connect(ConnectionIdentifier active, ConnectionParameters parameters) {
        return connect(active, parameters, Throwing.TIMEOUT);
    }

    Future<?> connect(
            ConnectionIdentifier active, ConnectionParameters parameters, long timeoutNanos) {
        return threads.submit(() -> {
            active.connect(parameters, timeoutNanos);
            return null;
        });
    }

    ConnectionIdentifier establish(ConnectionIdentifier active) throws Exception {
        Future<?> connecting = connect(active, Throwing.PARAMETERS);
        ConnectionIdentifier passive = accept();
        connecting.get();
        return passive;
    }

    ConnectionIdentifier accept() throws VerbsException {
        ConnectionIdentifier passive = Throwing.take(listener);
        passive.createQueuePair(server.protectionDomain, attributes());
        passive.accept(Throwing.PARAMETERS, Throwing.TIMEOUT);
        return passive;
    }

    @Override
    public void close() {
        dialled.forEach(ConnectionIdentifier::close);
        listener.close();
        server.close();
        client.close();
        threads.shutdownNow();
        temporary.close();
    }

    static io.rdmanet.verbs.QueuePair queuePairOf(ConnectionIdentifier identifier) {
        return requireNonNull(((LoopbackConnectionIdentifier) identifier).queuePair());
    }

    static QueuePairAttributes last(FakeQueuePair queuePair) {
        return queuePair.modifications.getLast();
    }

    static io.rdmanet.verbs.QueuePairInitialAttributes attributes() {
        return FakeDevice.anyAttributes();
    }

    static ConnectionException failureOf(Future<?> connecting) throws Exception {
        try {
            connecting.get(15, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return (ConnectionException) requireNonNull(e.getCause());
        }
        throw new AssertionError("it connected");
    }
}
