package io.rdmanet.internal.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rdmanet.DeadlineException;
import io.rdmanet.internal.setup.Fakes.FakeProvider;
import io.rdmanet.verbs.ProviderSelection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The loop with inbounds and connections that a test makes up.
final class ListenerLoopTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final FakeAcceptor acceptor = new FakeAcceptor();
    private final Queue<FakeConnection> opened = new ConcurrentLinkedQueue<>();
    private final ListenerLoop<FakeConnection> loop =
            ListenerLoop.start(
                    acceptor,
                    (rendezvous, timeoutNanos) -> {
                        FakeConnection connection =
                                new FakeConnection(((FakeRendezvous) rendezvous).name());
                        opened.add(connection);
                        return connection;
                    },
                    LONG);

    @AfterEach
    void closeLoop() {
        loop.close();
        assertThat(acceptor.isClosed).isTrue();
    }

    /// A connection that is only a name.
    private static final class FakeConnection implements AutoCloseable {
        final String name;
        final AtomicBoolean isClosed = new AtomicBoolean();

        FakeConnection(String name) {
            this.name = name;
        }

        @Override
        public void close() {
            isClosed.set(true);
        }
    }

    private record FakeRendezvous(String name) implements Rendezvous {
        @Override
        public ProviderSelection selection() {
            throw new UnsupportedOperationException();
        }

        @Override
        public io.rdmanet.verbs.Context context() {
            throw new UnsupportedOperationException();
        }

        @Override
        public io.rdmanet.verbs.QueuePair createQueuePair(
                io.rdmanet.verbs.ProtectionDomain domain,
                io.rdmanet.verbs.QueuePairInitialAttributes attributes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Link establish(int rnrRetryCount, Deadline deadline) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    /// Somebody who comes in: a peer that is ready at once, or a stranger that says nothing.
    private static final class FakeInbound implements Acceptor.Inbound {
        final String name;
        final boolean isSilent;
        final CountDownLatch hungUp = new CountDownLatch(1);
        final CompletableFuture<String> refusal = new CompletableFuture<>();

        FakeInbound(String name, boolean isSilent) {
            this.name = name;
            this.isSilent = isSilent;
        }

        @Override
        public String peer() {
            return name;
        }

        @Override
        public Rendezvous rendezvous(Deadline deadline) throws IOException {
            if (!isSilent) {
                return new FakeRendezvous(name);
            }
            try {
                if (hungUp.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
                    throw new IOException("hung up");
                }
                throw new DeadlineException("said nothing");
            } catch (InterruptedException aborted) {
                throw new IOException("interrupted", aborted);
            }
        }

        @Override
        public void refuse(String why) {
            refusal.complete(why);
        }

        @Override
        public void close() {
            hungUp.countDown();
        }
    }

    private static final class FakeAcceptor implements Acceptor {
        final BlockingQueue<Object> arrivals = new LinkedBlockingQueue<>();
        volatile boolean isClosed;

        @Override
        public InetSocketAddress localAddress() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        }

        @Override
        public ProviderSelection selection() {
            return new FakeProvider().selection();
        }

        @Override
        public @Nullable Inbound awaitInbound() throws IOException {
            try {
                Object arrival = arrivals.poll(100, TimeUnit.MILLISECONDS);
                if (arrival instanceof IOException failure) {
                    throw failure;
                }
                return (Inbound) arrival;
            } catch (InterruptedException closing) {
                throw new IOException(closing);
            }
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private FakeInbound comesIn(String name, boolean isSilent) {
        FakeInbound inbound = new FakeInbound(name, isSilent);
        acceptor.arrivals.add(inbound);
        return inbound;
    }

    @Test
    void handsOutAGoodClientWhileOthersAreSilent() throws Exception {
        for (int i = 0; i < 10; i++) {
            comesIn("silent " + i, true);
        }
        comesIn("good", false);
        assertThat(loop.accept(LONG).name).isEqualTo("good");
    }

    @Test
    void handsOutTwoClientsAtOnceToTwoThreads() throws Exception {
        CompletableFuture<String> first = acceptElsewhere();
        CompletableFuture<String> second = acceptElsewhere();
        comesIn("a", false);
        comesIn("b", false);
        assertThat(List.of(first.get(5, TimeUnit.SECONDS), second.get(5, TimeUnit.SECONDS)))
                .containsExactlyInAnyOrder("a", "b");
    }

    private CompletableFuture<String> acceptElsewhere() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return loop.accept(LONG).name;
            } catch (IOException failure) {
                throw new java.io.UncheckedIOException(failure);
            }
        });
    }

    @Test
    void saysHowManyFailedAndWhyTheLastIfNobodyCame() throws Exception {
        comesIn("port scanner", true).close();
        comesIn("another", true).close();
        Throwable failure = catchThrowable(() -> loop.accept(Duration.ofMillis(500)));
        assertThat(failure)
                .isInstanceOf(DeadlineException.class)
                .hasMessageContaining("no connection on 127.0.0.1:4711 in 0.500 s")
                .hasMessageContaining("2 attempts failed, the last: ")
                .hasMessageContaining("hung up");
    }

    @Test
    void saysNothingOfFailuresIfThereWereNone() {
        assertThatThrownBy(() -> loop.accept(Duration.ZERO))
                .isInstanceOf(DeadlineException.class)
                .message()
                .isEqualTo("no connection on 127.0.0.1:4711 in 0.000 s");
    }

    @Test
    void dropsTheOldestSilentOneWhenTooManyAreUnderWay() throws Exception {
        List<FakeInbound> silent = new ArrayList<>();
        for (int i = 0; i < ListenerLoop.MAX_PENDING; i++) {
            silent.add(comesIn("silent " + i, true));
        }
        FakeInbound last = comesIn("one more", true);
        assertThat(silent.get(0).hungUp.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(silent.get(1).hungUp.getCount()).isEqualTo(1);
        assertThat(last.hungUp.getCount()).isEqualTo(1);
        comesIn("good", false);
        assertThat(loop.accept(LONG).name).isEqualTo("good");
        assertThat(silent.get(1).hungUp.await(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void refusesWhenTooManyWaitToBeAccepted() throws Exception {
        for (int i = 0; i < ListenerLoop.MAX_READY; i++) {
            comesIn("peer " + i, false);
        }
        long end = System.nanoTime() + LONG.toNanos();
        while (opened.size() < ListenerLoop.MAX_READY && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        Thread.sleep(20); // until the last one is queued
        FakeInbound refused = comesIn("one more", false);
        assertThat(refused.refusal.get(5, TimeUnit.SECONDS)).contains("wait to be accepted");
        loop.accept(LONG);
        comesIn("next", false);
        for (int i = 1; i < ListenerLoop.MAX_READY; i++) {
            loop.accept(LONG);
        }
        assertThat(loop.accept(LONG).name).isEqualTo("next");
    }

    @Test
    void goesOnAfterTheAcceptorFailedOnce() throws Exception {
        acceptor.arrivals.add(new IOException("too many open files"));
        assertThatThrownBy(() -> loop.accept(Duration.ofMillis(300)))
                .hasMessageContaining("1 attempt failed, the last: ")
                .hasMessageContaining("too many open files");
        comesIn("good", false);
        assertThat(loop.accept(LONG).name).isEqualTo("good");
    }

    @Test
    void endsWaitingAcceptsWhenItCloses() throws Exception {
        CompletableFuture<Throwable> waiting =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> loop.accept(LONG)));
        Thread.sleep(SHORT);
        loop.close();
        assertThat(waiting.get(5, TimeUnit.SECONDS)).isInstanceOf(AsynchronousCloseException.class);
        assertThatThrownBy(() -> loop.accept(LONG)).isInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void endsPendingHandshakesAndUntakenConnectionsWhenItCloses() throws Exception {
        FakeInbound silent = comesIn("silent", true);
        comesIn("untaken", false);
        long end = System.nanoTime() + LONG.toNanos();
        while (opened.isEmpty() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        loop.close();
        loop.close();
        assertThat(silent.hungUp.await(5, TimeUnit.SECONDS)).isTrue();
        FakeConnection untaken = opened.remove();
        while (!untaken.isClosed.get() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertThat(untaken.isClosed).isTrue();
    }

    @Test
    void leavesAcceptedConnectionsAlone() throws Exception {
        comesIn("taken", false);
        FakeConnection taken = loop.accept(LONG);
        loop.close();
        assertThat(taken.isClosed).isFalse();
    }

    @Test
    void endsAHandshakeAtItsDeadline() throws Exception {
        FakeAcceptor other = new FakeAcceptor();
        try (ListenerLoop<FakeConnection> brief =
                ListenerLoop.start(other, (rendezvous, nanos) -> new FakeConnection("x"), SHORT)) {
            FakeInbound silent = new FakeInbound("silent", true);
            other.arrivals.add(silent);
            assertThat(silent.hungUp.await(5, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> brief.accept(SHORT))
                    .hasMessageContaining("silent: said nothing");
        }
    }

    @Test
    void tellsThePeerWhyOpeningFailed() throws Exception {
        CompletableFuture<String> told = new CompletableFuture<>();
        FakeAcceptor other = new FakeAcceptor();
        Rendezvous rendezvous =
                Fakes.fake(
                        Rendezvous.class,
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("refuse")) {
                                told.complete((String) arguments[0]);
                            }
                            return null;
                        });
        Acceptor.Inbound inbound =
                Fakes.fake(
                        Acceptor.Inbound.class,
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "rendezvous" -> rendezvous;
                                    case "peer" -> "peer";
                                    default -> null;
                                });
        try (ListenerLoop<FakeConnection> failing =
                ListenerLoop.start(
                        other,
                        (r, nanos) -> {
                            throw new IOException("memlock limit");
                        },
                        LONG)) {
            other.arrivals.add(inbound);
            assertThat(told.get(5, TimeUnit.SECONDS)).isEqualTo("memlock limit");
            assertThatThrownBy(() -> failing.accept(SHORT))
                    .hasMessageContaining("peer: memlock limit");
        }
    }
}
