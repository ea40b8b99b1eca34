package io.rdmanet.internal.engine;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.internal.setup.Link;
import io.rdmanet.internal.setup.Rendezvous;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Two ends that meet without a network.
final class FakeRendezvous implements Rendezvous {
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    final FakeContext context;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch connected = new CountDownLatch(1);
    private FakeRendezvous peer = this;
    @Nullable FakeQueuePair queuePair;
    volatile boolean hasDisconnected;
    volatile boolean isPortDown;
    volatile boolean isClosed;

    private FakeRendezvous(FakeProvider provider) {
        this.context = new FakeContext(provider);
    }

    /// Both ends, for two threads.
    static FakeRendezvous[] pair(FakeProvider provider) {
        FakeRendezvous left = new FakeRendezvous(provider);
        FakeRendezvous right = new FakeRendezvous(provider);
        left.peer = right;
        right.peer = left;
        return new FakeRendezvous[] {left, right};
    }

    FakeQueuePair pair() {
        FakeQueuePair made = queuePair;
        if (made == null) {
            throw new IllegalStateException("no queue pair yet");
        }
        return made;
    }

    /// Dies as a killed process does: no end, no flush.
    void die() {
        pair().toError();
        hasDisconnected = true;
    }

    @Override
    public ProviderSelection selection() {
        return new ProviderSelection(context.provider(), "the test's");
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public QueuePair createQueuePair(
            ProtectionDomain protectionDomain, QueuePairInitialAttributes attributes)
            throws IOException {
        FakeQueuePair made = (FakeQueuePair) protectionDomain.createQueuePair(attributes);
        queuePair = made;
        return made;
    }

    @Override
    public Link establish(int rnrRetryCount, Deadline deadline) throws IOException {
        ready.countDown();
        await(peer.ready);
        pair().connect(peer.pair());
        connected.countDown();
        await(peer.connected);
        return new FakeLink();
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            if (!latch.await(10, TimeUnit.SECONDS)) {
                throw new IOException("the other end did not come");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        hasDisconnected = true;
        isClosed = true;
        context.close();
    }

    private final class FakeLink implements Link {
        @Override
        public InetSocketAddress localAddress() {
            return ADDRESS;
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return ADDRESS;
        }

        @Override
        public ConnectionDescription description() {
            return new ConnectionDescription(
                    "fake",
                    "",
                    "fake0",
                    1,
                    LinkLayer.ETHERNET,
                    ConnectionSetup.TCP,
                    null,
                    0,
                    null,
                    null,
                    7,
                    7,
                    -1,
                    -1,
                    0);
        }

        @Override
        public boolean isPeerGone() {
            return peer.hasDisconnected;
        }

        @Override
        public boolean isPortDown() {
            return isPortDown;
        }

        @Override
        public void disconnect() {
            hasDisconnected = true;
        }

        @Override
        public void close() {
            FakeRendezvous.this.close();
        }
    }
}
