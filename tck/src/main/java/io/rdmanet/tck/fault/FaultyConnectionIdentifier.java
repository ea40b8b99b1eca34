package io.rdmanet.tck.fault;

import io.rdmanet.verbs.ConnectionEvent;
import io.rdmanet.verbs.ConnectionIdentifier;
import io.rdmanet.verbs.ConnectionParameters;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.VerbsException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// One end of a connection of a [FaultyProvider].
final class FaultyConnectionIdentifier implements ConnectionIdentifier {
    private final FaultyContext context;
    private final ConnectionIdentifier target;
    private final Tracked tracked;
    private volatile @Nullable FaultyQueuePair queuePair;

    FaultyConnectionIdentifier(
            FaultyContext context, ConnectionIdentifier target, Tracked tracked) {
        this.context = context;
        this.target = target;
        this.tracked = tracked;
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public int portNumber() {
        return target.portNumber();
    }

    @Override
    public InetSocketAddress localAddress() {
        return target.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return target.remoteAddress();
    }

    @Override
    public QueuePair createQueuePair(
            ProtectionDomain protectionDomain, QueuePairInitialAttributes attributes)
            throws VerbsException {
        FaultyProtectionDomain domain = (FaultyProtectionDomain) protectionDomain;
        QueuePairInitialAttributes inner = FaultyProtectionDomain.unwrap(attributes);
        QueuePair created =
                domain.createQueuePair(
                        attributes, () -> target.createQueuePair(domain.target(), inner));
        queuePair = (FaultyQueuePair) created;
        return created;
    }

    @Override
    public void connect(ConnectionParameters parameters, long timeoutNanos) throws VerbsException {
        target.connect(parameters, timeoutNanos);
    }

    @Override
    public void accept(ConnectionParameters parameters, long timeoutNanos) throws VerbsException {
        target.accept(parameters, timeoutNanos);
    }

    @Override
    public void reject(byte[] privateData) throws VerbsException {
        target.reject(privateData);
    }

    @Override
    public byte[] privateData() {
        return target.privateData();
    }

    @Override
    public @Nullable ConnectionEvent pollEvent() throws VerbsException {
        return target.pollEvent();
    }

    @Override
    public @Nullable ConnectionEvent awaitEvent(long timeoutNanos) throws VerbsException {
        return target.awaitEvent(timeoutNanos);
    }

    @Override
    public void disconnect() throws VerbsException {
        target.disconnect();
    }

    @Override
    public void close() {
        target.close();
        FaultyQueuePair closedWithIt = queuePair;
        if (closedWithIt != null) {
            closedWithIt.closedByIdentifier();
        }
        tracked.closed();
    }
}
