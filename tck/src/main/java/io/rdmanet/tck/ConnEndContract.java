package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.Conn;
import io.rdmanet.DeadlineException;
import io.rdmanet.ReceivedMessage;
import io.rdmanet.SendSlot;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How connections end, and how calls end that do not: closing from either end at any moment,
/// deadlines, interrupts.
public abstract class ConnEndContract extends ConnVerbsContract {
    private static final Duration SHORT = Duration.ofMillis(100);

    /// A call that blocks, as prepared by the test: nothing to receive, no credit to send with.
    enum Blocking {
        SEND(false),
        SEND_MEMORY(false),
        SEND_BATCH(false),
        CLAIM(false),
        CLAIM_BATCH(false),
        WRITE_STREAM(false),
        WRITE_CHANNEL(false),
        RECEIVE(true),
        RECEIVE_MEMORY(true),
        RECEIVE_BATCH(true),
        RECEIVE_BATCH_MEMORY(true),
        LEASE(true),
        LEASES(true),
        READ_STREAM(true);

        final boolean receives;

        Blocking(boolean receives) {
            this.receives = receives;
        }

        void call(Conn conn) throws IOException {
            MemorySegment memory = MemorySegment.ofArray(new byte[8]);
            switch (this) {
                case SEND -> conn.sendMsg(new byte[8]);
                case SEND_MEMORY -> conn.sendMsg(memory);
                case SEND_BATCH -> conn.sendBatch(List.of(new byte[8], new byte[8]));
                case CLAIM -> conn.claim(8).commit();
                case CLAIM_BATCH -> conn.claim(new SendSlot[2], 2, 8);
                case WRITE_STREAM -> conn.outputStream().write(new byte[8]);
                case WRITE_CHANNEL -> require(conn.byteChannel().write(ByteBuffer.allocate(8)));
                case RECEIVE -> require(conn.recvMsg());
                case RECEIVE_MEMORY -> require(conn.recvMsg(memory));
                case RECEIVE_BATCH -> require(conn.recvBatch(2));
                case RECEIVE_BATCH_MEMORY ->
                        require(conn.recvBatch(new MemorySegment[] {memory}, new int[1], 1));
                case LEASE -> require(conn.receiveLease());
                case LEASES -> require(conn.receiveLeases(new ReceivedMessage[2], 2));
                case READ_STREAM -> require(conn.inputStream().read());
            }
        }

        private static void require(@Nullable Object ignored) {
            // What it returns is of no interest where it must throw.
        }
    }

    @ParameterizedTest
    @EnumSource(Blocking.class)
    void endsABlockingCallWhenAnotherThreadCloses(Blocking blocking) throws Exception {
        Conn conn = blocked().dialler();
        Running<Throwable> calling = start("call", () -> caught(() -> blocking.call(conn)));
        awaitBlocked(calling);

        conn.close();

        assertThat(calling.join()).isInstanceOf(AsynchronousCloseException.class);
        assertThatThrownBy(() -> blocking.call(conn)).isInstanceOf(ClosedChannelException.class);
        assertThat(conn.isOpen()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Blocking.class)
    void endsABlockingCallAtItsDeadlineAndGoesOn(Blocking blocking) throws Exception {
        Ends ends = blocked();
        ends.dialler().timeout(SHORT);

        assertThatThrownBy(() -> blocking.call(ends.dialler()))
                .isInstanceOf(DeadlineException.class)
                .hasMessageContaining("100 ms");

        assertGoesOn(ends);
    }

    @ParameterizedTest
    @EnumSource(Blocking.class)
    void endsABlockingCallOnInterruptAndGoesOn(Blocking blocking) throws Exception {
        Ends ends = blocked();
        Running<Throwable> calling =
                start(
                        "call",
                        () -> {
                            Throwable thrown = caught(() -> blocking.call(ends.dialler()));
                            assertThat(Thread.currentThread().isInterrupted()).isTrue();
                            return thrown;
                        });
        awaitBlocked(calling);

        calling.thread().interrupt();

        assertThat(calling.join())
                .isInstanceOf(InterruptedIOException.class)
                .isNotInstanceOf(DeadlineException.class);
        assertGoesOn(ends);
    }

    @ParameterizedTest
    @EnumSource(Blocking.class)
    void endsABlockingCallWhenThePeerCloses(Blocking blocking) throws Exception {
        Ends ends = blocked();
        Running<Throwable> calling =
                start("call", () -> caught(() -> blocking.call(ends.dialler())));
        awaitBlocked(calling);

        ends.listener().close();

        Throwable thrown = calling.join();
        if (blocking.receives) {
            assertThat(thrown).isNull();
        } else {
            assertThat(thrown)
                    .isInstanceOf(ClosedChannelException.class)
                    .hasMessageContaining("has closed");
        }
    }

    @Test
    void drainsWhatArrivedBeforeTheEndOfTheStream() throws Exception {
        Ends ends = open(options());
        for (int i = 0; i < 8; i++) {
            ends.dialler().sendMsg(message(i, i));
        }
        ends.dialler().close();

        for (int i = 0; i < 8; i++) {
            assertMessage(ends.listener().recvMsg(), i, i);
        }
        for (int i = 0; i < 2; i++) {
            assertThat(ends.listener().recvMsg()).isNull();
            assertThat(ends.listener().recvMsg(MemorySegment.ofArray(new byte[1])))
                    .isEqualTo(Conn.END_OF_STREAM);
            assertThat(ends.listener().recvBatch(3)).isEmpty();
            assertThat(ends.listener().receiveLease()).isNull();
            assertThat(ends.listener().receiveLeases(new ReceivedMessage[3], 3))
                    .isEqualTo(Conn.END_OF_STREAM);
        }
        assertThatThrownBy(() -> ends.listener().sendMsg(new byte[1]))
                .isInstanceOf(ClosedChannelException.class)
                .hasMessageContaining("has closed");
        assertThat(ends.listener().isOpen()).isFalse();
    }

    @Test
    void deliversWhatWasCommittedBeforeClosing() throws Exception {
        Ends ends = open(options());
        for (int i = 0; i < 8; i++) {
            SendSlot slot = ends.dialler().claim(SLOT);
            Payload.fill(slot.segment(), 0, SLOT, i);
            slot.commit();
        }
        ends.dialler().close();

        for (int i = 0; i < 8; i++) {
            assertMessage(ends.listener().recvMsg(), SLOT, i);
        }
        assertThat(ends.listener().recvMsg()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 128})
    void reachesThePeerWithEveryEnd(int window) throws Exception {
        for (int i = 0; i < 20; i++) {
            Ends ends = open(options().withDepth(window));
            Running<byte[]> receiving = start("receive", () -> ends.listener().recvMsg());
            ends.dialler().close();
            assertThat(receiving.join()).isNull();
            ends.listener().close();
        }
    }

    @Test
    void closesBothEndsAtOnce() throws Exception {
        for (int i = 0; i < 20; i++) {
            Ends ends = open(options());
            ends.dialler().sendMsg(message(1, 1));
            Running<Void> closing =
                    start(
                            "close",
                            () -> {
                                ends.listener().close();
                                return null;
                            });
            ends.dialler().close();
            closing.join(Duration.ofSeconds(4));
        }
    }

    @Test
    void refusesTheRestOfAMessageWhoseSenderCloses() throws Exception {
        Ends ends = open(options().withDepth(2));
        Running<Throwable> sending =
                start("send", () -> caught(() -> ends.dialler().sendMsg(message(5 * SLOT, 1))));
        awaitBlocked(sending);

        ends.dialler().close();

        assertThat(sending.join()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ends.listener().recvMsg())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("middle of a message");
        assertThatThrownBy(() -> ends.listener().recvMsg())
                .hasMessageContaining("middle of a message");
    }

    @Test
    void keepsTheBeginningOfAMessageWhoseRestIsLate() throws Exception {
        Ends ends = open(options().withDepth(2));
        int length = 7 * SLOT + 3;
        Running<Void> sending =
                start(
                        "send",
                        () -> {
                            ends.dialler().sendMsg(message(length, 1));
                            return null;
                        });
        ends.listener().timeout(Duration.ofNanos(1));
        MemorySegment buffer = MemorySegment.ofArray(new byte[length]);
        int received = -1;
        long start = System.nanoTime();
        while (received < 0 && System.nanoTime() - start < patience().toNanos()) {
            try {
                received = ends.listener().recvMsg(buffer);
            } catch (DeadlineException expected) {
                assertThat(ends.listener().isOpen()).isTrue();
            }
        }
        assertThat(received).isEqualTo(length);
        Payload.assertHolds(buffer, 0, length, 1);
        sending.join();
    }

    @Test
    void closesAgainWithoutEffectAndFromSeveralThreads() throws Exception {
        Ends ends = open(options());
        Running<Void> other =
                start(
                        "close",
                        () -> {
                            ends.dialler().close();
                            return null;
                        });
        ends.dialler().close();
        other.join();
        ends.dialler().close();

        assertThatThrownBy(() -> ends.dialler().sendMsg(new byte[1]))
                .isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> ends.dialler().recvMsg())
                .isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> ends.dialler().flush()).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void closesWithoutWaitingWhenToldNotToLinger() throws Exception {
        Ends ends = open(options().withLinger(Duration.ZERO));
        ends.dialler().sendMsg(message(1, 1));
        ends.dialler().close();

        assertMessage(ends.listener().recvMsg(), 1, 1);
    }

    @Test
    void closesSoonWhileThePeerSendsAndNobodyReceives() throws Exception {
        Ends ends = open(options());
        Running<Throwable> sending =
                start(
                        "send",
                        () ->
                                caught(() -> {
                                    while (true) {
                                        ends.listener().sendMsg(message(SLOT, 1));
                                    }
                                }));
        awaitBlocked(sending);
        ends.dialler().close();

        assertThat(sending.join()).isInstanceOf(IOException.class);
    }

    @Test
    void refusesASecondThreadInTheSameHalf() throws Exception {
        Ends ends = open(options());
        Running<Throwable> receiving =
                start("receive", () -> caught(() -> ends.dialler().recvMsg()));
        awaitBlocked(receiving);

        assertThatThrownBy(() -> ends.dialler().receiveLease())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another thread");

        ends.listener().close();
        assertThat(receiving.join()).isNull();
    }

    /// Two ends, of which the dialling one has nothing to receive and no credit left.
    private Ends blocked() throws Exception {
        Ends ends = open(options().withDepth(1));
        ends.dialler().sendMsg(message(6, 6));
        return ends;
    }

    private void assertGoesOn(Ends ends) throws Exception {
        assertThat(ends.dialler().isOpen()).isTrue();
        ends.dialler().timeout(patience());
        assertMessage(ends.listener().recvMsg(), 6, 6);
        ends.listener().sendMsg(message(9, 9));
        try (ReceivedMessage lease = lease(ends.dialler())) {
            Payload.assertHolds(lease.segment(), 0, 9, 9);
        }
        ends.dialler().sendMsg(message(8, 8));
        assertMessage(ends.listener().recvMsg(), 8, 8);
    }

    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    private static @Nullable Throwable caught(Action action) {
        try {
            action.run();
            return null;
        } catch (Exception e) {
            return e;
        }
    }
}
