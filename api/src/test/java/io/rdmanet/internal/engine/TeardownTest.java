package io.rdmanet.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ReceivedMessage;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.QueuePairState;
import java.nio.channels.AsynchronousCloseException;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Closing while a thread stands still inside, where nothing wakes it: what it may still use is not
/// freed, since that would be the end of the process with a real device.
@Timeout(60)
class TeardownTest {
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final ConnOptions OPTIONS =
            ConnOptions.defaults().withSlotBytes(256).withDepth(1).withRnrRetryCount(0);

    private final FakeRendezvous[] ends =
            FakeRendezvous.pair(new FakeProvider(EnumSet.allOf(Capability.class)));
    private final FakeContext context = ends[0].context;
    private final Stop polling = new Stop();
    private Conn conn;
    private Conn peer;

    /// This end waits for moments only until the threads inside have left.
    @BeforeEach
    void open() throws Exception {
        FutureTask<Conn> other =
                start(() -> MessageConnection.open(ends[1], OPTIONS, Deadline.after(LONG_NANOS)));
        conn = new Opening(ends[0], OPTIONS, Deadline.after(LONG_NANOS), SHORT_NANOS).open();
        peer = other.get(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        conn.close();
        peer.close();
        long start = System.nanoTime();
        while (!ends[0].isClosed && System.nanoTime() - start < LONG_NANOS) {
            Thread.sleep(1);
        }
        assertThat(ends[0].isClosed).isTrue();
        assertThat(context.open.get()).as("objects left open").isZero();
    }

    @Test
    void releasesNothingBeforeTheThreadInsideHasLeft() throws Exception {
        FutureTask<Object> receiving = receiveAndStandStill();
        int open = context.open.get();

        conn.close();

        assertThat(context.open.get()).as("open while a thread is inside").isEqualTo(open);
        letOut(receiving);
    }

    /// Whoever returns a credit is in neither half.
    @Test
    void tearsNothingDownWhileACreditIsBeingPosted() throws Exception {
        ReceivedMessage lease = lease();
        FutureTask<Object> receiving = receiveAndStandStill();
        Stop posting = new Stop();
        ends[0].pair().insideNextSend = posting;
        FutureTask<Object> returning = start(() -> close(lease));
        posting.awaitInside();

        FutureTask<Object> closing = start(() -> close(conn));

        assertThatThrownBy(() -> closing.get(2, TimeUnit.SECONDS))
                .as("closing, which takes one second for draining")
                .isInstanceOf(TimeoutException.class);
        assertThat(ends[0].pair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        posting.goOn();
        returning.get(10, TimeUnit.SECONDS);
        closing.get(10, TimeUnit.SECONDS);
        letOut(receiving);
    }

    @Test
    void postsNoCreditOnceItIsTornDown() throws Exception {
        ReceivedMessage lease = lease();
        conn.close();
        Stop posting = new Stop();
        ends[0].pair().insideNextSend = posting;

        close(lease);

        assertThat(posting.isReached()).isFalse();
    }

    private ReceivedMessage lease() throws Exception {
        peer.sendMsg(new byte[1]);
        ReceivedMessage lease = conn.receiveLease();
        if (lease == null) {
            throw new AssertionError("no message");
        }
        return lease;
    }

    private FutureTask<Object> receiveAndStandStill() {
        ((FakeCompletionQueue) ends[0].pair().sendCompletionQueue()).insideNextPoll = polling;
        FutureTask<Object> receiving = start(conn::recvMsg);
        polling.awaitInside();
        return receiving;
    }

    private void letOut(FutureTask<Object> receiving) {
        polling.goOn();
        assertThatThrownBy(() -> receiving.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(AsynchronousCloseException.class);
    }

    private static Object close(AutoCloseable closeable) throws Exception {
        closeable.close();
        return closeable;
    }

    private static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    /// Where a thread stands still until a test lets it go on.
    private static final class Stop implements Runnable {
        private final CountDownLatch inside = new CountDownLatch(1);
        private final CountDownLatch leaving = new CountDownLatch(1);

        @Override
        public void run() {
            inside.countDown();
            await(leaving);
        }

        void awaitInside() {
            await(inside);
        }

        boolean isReached() {
            return inside.getCount() == 0;
        }

        void goOn() {
            leaving.countDown();
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
