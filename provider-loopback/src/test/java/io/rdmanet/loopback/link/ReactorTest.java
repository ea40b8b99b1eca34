package io.rdmanet.loopback.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whose thread takes the turns, and that none is missed when they change hands.
@Timeout(60)
final class ReactorTest {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Reactor reactor;
    private Pipe pipe;

    /// The threads that found the pipe readable.
    private final BlockingQueue<Thread> readers = new LinkedBlockingQueue<>();

    @BeforeEach
    void open() throws Exception {
        reactor = Reactor.start("reactor-test");
        pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        CountDownLatch registered = new CountDownLatch(1);
        reactor.execute(() -> {
            try {
                reactor.register(pipe.source(), SelectionKey.OP_READ, new Reader());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            registered.countDown();
        });
        registered.await();
    }

    @AfterEach
    void close() throws Exception {
        reactor.close();
        pipe.sink().close();
        pipe.source().close();
    }

    private final class Reader implements ReadyHandler {
        @Override
        public void onReady(SelectionKey key) throws IOException {
            pipe.source().read(ByteBuffer.allocate(1));
            readers.add(Thread.currentThread());
        }

        @Override
        public void onFailure(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onReactorClosed() {}
    }

    private void signal() throws Exception {
        pipe.sink().write(ByteBuffer.allocate(1));
    }

    private Thread reader() throws Exception {
        return readers.poll(30, TimeUnit.SECONDS);
    }

    /// Takes turns on a thread of its own until a reader was seen, or the reactor ends.
    private FutureTask<Boolean> waiting() {
        FutureTask<Boolean> task =
                new FutureTask<>(() -> {
                    reactor.beginWaiting();
                    try {
                        while (readers.isEmpty()) {
                            if (!reactor.tryTurn(LONG_NANOS, () -> !readers.isEmpty())) {
                                return false;
                            }
                        }
                        return true;
                    } finally {
                        reactor.endWaiting();
                    }
                });
        Thread.ofPlatform().daemon().name("waits").start(task);
        return task;
    }

    @Test
    void itsOwnThreadTakesTheTurnsWhenNobodyWaits() throws Exception {
        signal();

        assertThat(reader().getName()).isEqualTo("reactor-test");
    }

    @Test
    void aThreadThatWaitsIsTheOneThatFindsWhatCame() throws Exception {
        FutureTask<Boolean> waiting = waiting();
        Thread.sleep(200);
        signal();

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(reader().getName()).isEqualTo("waits");
    }

    @Test
    void itsOwnThreadComesBackWhenTheOtherHasGone() throws Exception {
        FutureTask<Boolean> waiting = waiting();
        signal();
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
        readers.clear();

        signal();

        assertThat(reader().getName()).isEqualTo("reactor-test");
    }

    @Test
    void itsOwnThreadTakesTheTurnsWhenSeveralWait() throws Exception {
        reactor.beginWaiting();
        reactor.beginWaiting();
        try {
            assertThat(reactor.tryTurn(LONG_NANOS, () -> false)).isFalse();
            signal();
            assertThat(reader().getName()).isEqualTo("reactor-test");
        } finally {
            reactor.endWaiting();
            reactor.endWaiting();
        }
    }

    @Test
    void aVirtualThreadDoesNotKeepItsCarrierForTurns() throws Exception {
        FutureTask<Boolean> task =
                new FutureTask<>(() -> {
                    reactor.beginWaiting();
                    try {
                        return reactor.tryTurn(LONG_NANOS, () -> false);
                    } finally {
                        reactor.endWaiting();
                    }
                });
        Thread.startVirtualThread(task);

        assertThat(task.get(30, TimeUnit.SECONDS)).isFalse();
        signal();
        assertThat(reader().getName()).isEqualTo("reactor-test");
    }

    @Test
    void actionsAreRunWhoeverHasTheTurns() throws Exception {
        BlockingQueue<Thread> ran = new LinkedBlockingQueue<>();
        FutureTask<Boolean> waiting = waiting();
        Thread.sleep(200);

        reactor.execute(() -> ran.add(Thread.currentThread()));

        assertThat(ran.poll(30, TimeUnit.SECONDS)).isNotNull();
        signal();
        // The action ended its turn; whether it got the next one is a matter of time.
        waiting.get(30, TimeUnit.SECONDS);
        assertThat(reader()).isNotNull();
        reactor.schedule(1, () -> ran.add(Thread.currentThread()));
        assertThat(ran.poll(30, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void aTurnIsNotWaitedOutOnceThereIsNothingToWaitFor() throws Exception {
        reactor.beginWaiting();
        try {
            assertThat(reactor.tryTurn(LONG_NANOS, () -> true)).isTrue();
        } finally {
            reactor.endWaiting();
        }
    }

    @Test
    void anInterruptEndsATurnAndNoChannel() throws Exception {
        reactor.beginWaiting();
        try {
            Thread self = Thread.currentThread();
            Thread.ofPlatform()
                    .start(() -> {
                        try {
                            Thread.sleep(200);
                            self.interrupt();
                            Thread.sleep(200);
                            signal();
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    });
            assertThat(reactor.tryTurn(LONG_NANOS, () -> false)).isTrue();
            assertThat(self.isInterrupted()).isTrue();
        } finally {
            reactor.endWaiting();
        }
        Thread.interrupted();

        assertThat(reader()).isNotNull();
        assertThat(pipe.source().isOpen()).isTrue();
    }

    @Test
    void closingEndsTheTurnsOfOthers() throws Exception {
        FutureTask<Boolean> waiting = waiting();
        Thread.sleep(200);

        reactor.close();

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isFalse();
        assertThat(reactor.execute(() -> {})).isFalse();
    }

    @Test
    void nothingIsLostWhileTurnsChangeHands() throws Exception {
        for (int i = 0; i < 300; i++) {
            readers.clear();
            FutureTask<Boolean> waiting = waiting();
            if (i % 3 == 0) {
                Thread.sleep(1);
            }
            signal();
            // Either it found the byte, or it was told that others take the turns.
            waiting.get(30, TimeUnit.SECONDS);
            assertThat(reader()).isNotNull();
        }
    }
}
