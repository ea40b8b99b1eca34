package io.rdmanet.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.Conn;
import io.rdmanet.ConnOptions;
import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.frame.FrameDescriptor;
import io.rdmanet.internal.frame.FrameFlags;
import io.rdmanet.internal.frame.HelloDescriptor;
import io.rdmanet.internal.frame.HelloDescriptor.MessageHello;
import io.rdmanet.internal.frame.HelloDescriptor.RawHello;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.verbs.Capability;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A peer that breaks the rules ends its own connection, with a reason, and nothing else.
@Timeout(30)
class IntruderTest {
    private static final ConnOptions OPTIONS =
            ConnOptions.defaults()
                    .withSlotBytes(1024)
                    .withDepth(4)
                    .withMaxMessageBytes(3000)
                    .withRnrRetryCount(0);
    private static final MessageHello HELLO = new MessageHello(0, 1024, 4, 3000, 5);

    private final FakeRendezvous[] ends =
            FakeRendezvous.pair(new FakeProvider(EnumSet.allOf(Capability.class)));
    private final FutureTask<Conn> opening =
            new FutureTask<>(() ->
                    MessageConnection.open(
                            ends[0], OPTIONS, Deadline.after(TimeUnit.SECONDS.toNanos(10))));
    private Intruder intruder;

    @BeforeEach
    void connect() throws Exception {
        Thread.ofPlatform().daemon().start(opening);
        intruder = new Intruder(ends[1]);
        intruder.connect();
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        try {
            opening.get(5, TimeUnit.SECONDS).close();
        } catch (java.util.concurrent.ExecutionException refused) {
            assertThat(refused).hasCauseInstanceOf(java.io.IOException.class);
        }
        assertThat(ends[0].isClosed).isTrue();
        assertThat(ends[0].context.open.get()).isZero();
        intruder.close();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0, shorter",
        "0, 0, 0, 0, 4, shorter",
        "0, 0, 0, 1024, 8, claims 1024",
        "0, 0, 0, 16777216, 8, claims 16777216",
        "0, 0, 0, 0, 100, claims 0",
        "3, 0, 0, 0, 8, does not exist",
        "64, 0, 0, 0, 8, does not exist",
        "2, 0, 1, 4, 12, control frame",
        "4, 0, 0, 4, 12, control frame",
        "1, 0, 0, 0, 8, empty",
        "8, 0, 0, 64, 72, second hello",
        "0, 1, 0, 0, 8, acknowledged 1",
        "2, 255, 0, 0, 8, acknowledged 255",
        "0, 0, 1, 0, 8, returned 1 credits",
        "2, 0, 65535, 0, 8, returned 65535 credits"
    })
    void refusesAFrameThatBreaksARule(
            int flags, int acks, int credits, int claimed, int bytes, String reason)
            throws Exception {
        Conn conn = greet();

        intruder.frame(flags, acks, credits, claimed, bytes);

        assertRefuses(conn, reason);
    }

    @Test
    void refusesDataBeyondTheWindow() throws Exception {
        Conn conn = greet();
        for (int i = 0; i < 5; i++) {
            intruder.frame(FrameFlags.LAST, 0, 0, 1, 9);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(conn.recvMsg()).hasSize(1);
        }
        assertRefuses(conn, "credits");
    }

    @Test
    void refusesMoreControlFramesThanAnnounced() throws Exception {
        Conn conn = greet();
        for (int i = 0; i < 6; i++) {
            intruder.frame(FrameFlags.CREDIT, 0, 0, 0, 8);
        }
        assertRefuses(conn, "control window");
    }

    @Test
    void refusesAMessageBeyondTheCapWithoutCollectingIt() throws Exception {
        Conn conn = greet();
        for (int i = 0; i < 3; i++) {
            intruder.frame(FrameFlags.MORE, 0, 0, 1024, 1032);
        }
        assertRefuses(conn, "this end takes 3000");
    }

    @Test
    void refusesTheEndInTheMiddleOfAMessage() throws Exception {
        Conn conn = greet();
        intruder.frame(FrameFlags.MORE, 0, 0, 10, 18);
        intruder.frame(FrameFlags.FIN, 0, 0, 0, 8);

        assertRefuses(conn, "middle of a message, after 10 bytes");
    }

    @Test
    void refusesFramesAfterTheEnd() throws Exception {
        Conn conn = greet();
        intruder.frame(FrameFlags.FIN, 0, 0, 0, 8);
        assertThat(conn.recvMsg()).isNull();
        intruder.frame(FrameFlags.LAST, 0, 0, 0, 8);
        assertThat(conn.isOpen()).isFalse();
    }

    @Test
    void neverShowsOldMemoryNorThrowsAnythingElseWhateverArrives() throws Exception {
        long seed = 20261129;
        System.out.println("IntruderTest seed " + seed);
        Random random = new Random(seed);
        Conn conn = greet();
        conn.timeout(java.time.Duration.ofMillis(1));
        for (int i = 0; i < 5000 && conn.isOpen(); i++) {
            int bytes = random.nextInt(64);
            int claimed = random.nextInt(8) == 0 ? random.nextInt() : bytes - 8;
            int flags = random.nextInt(50) == 0 ? random.nextInt(256) : random.nextInt(3);
            intruder.frame(flags, 0, random.nextInt(20) == 0 ? 1 : 0, claimed, bytes);
            try {
                byte[] message = conn.recvMsg();
                assertThat(message).hasSizeLessThanOrEqualTo(3000);
            } catch (io.rdmanet.DeadlineException | ProtocolViolationException expected) {
                assertThat(expected).hasMessageContaining(" ");
            }
        }
        assertThat(conn.isOpen()).isFalse();
    }

    @Test
    void refusesARawPeerAndShowsItselfToIt() throws Exception {
        HelloDescriptor.write(
                intruder.payload(), 0, new RawHello(0, 0, 0, 4096, 1, 4096, 1, true, 1));
        intruder.frame(FrameFlags.HELLO, 0, 0, 64, 72);

        assertRefusedToOpen("a raw connection");
        assertThat(FrameDescriptor.flags(intruder.awaitFrame())).isEqualTo(FrameFlags.HELLO);
    }

    @Test
    void refusesAnotherVersion() throws Exception {
        HelloDescriptor.write(intruder.payload(), 0, HELLO);
        intruder.payload().set(ValueLayout.JAVA_BYTE, 9, (byte) 77);
        intruder.frame(FrameFlags.HELLO, 0, 0, 64, 72);

        assertRefusedToOpen("version 77");
    }

    @Test
    void refusesAStranger() throws Exception {
        intruder.frame(FrameFlags.LAST, 0, 0, 100, 108);

        assertRefusedToOpen("no hello");
    }

    @Test
    void givesUpWhenThePeerLeavesBeforeItsHello() throws Exception {
        ends[1].hasDisconnected = true;

        assertThatThrownBy(() -> opening.get(5, TimeUnit.SECONDS))
                .hasCauseInstanceOf(io.rdmanet.PeerGoneException.class);
    }

    @Test
    void takesWhatArrivesTogetherWithTheHello() throws Exception {
        intruder.hello(HELLO);
        intruder.frame(FrameFlags.LAST, 0, 0, 3, 11);
        Conn conn = opening.get(5, TimeUnit.SECONDS);

        assertThat(conn.recvMsg()).hasSize(3);
    }

    private Conn greet() throws Exception {
        intruder.hello(HELLO);
        return opening.get(5, TimeUnit.SECONDS);
    }

    private static void assertRefuses(Conn conn, String reason) {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(conn::recvMsg)
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining(reason);
            assertThatThrownBy(() -> conn.sendMsg(new byte[1]))
                    .isInstanceOf(ProtocolViolationException.class)
                    .hasMessageContaining(reason);
        }
        assertThat(conn.isOpen()).isFalse();
    }

    private void assertRefusedToOpen(String reason) {
        assertThatThrownBy(() -> opening.get(5, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ProtocolViolationException.class)
                .hasMessageContaining(reason);
    }
}
