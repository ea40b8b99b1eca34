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
import java.io.IOException;
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
import org.junit.jupiter.params.provider.ValueSource;

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
        "3, 0, 0, 1, does not exist",
        "12, 0, 0, 0, does not exist",
        "15, 255, 65535, 64, does not exist",
        "2, 0, 1, 4, control frame",
        "4, 0, 0, 4, control frame",
        "1, 0, 0, 0, empty",
        "8, 0, 0, 64, second hello",
        "8, 0, 0, 63, hello record of 63",
        "0, 1, 0, 0, acknowledged 1",
        "2, 255, 0, 0, acknowledged 255",
        "0, 0, 1, 0, returned 1 credits",
        "2, 0, 65535, 0, returned 65535 credits"
    })
    void refusesAFrameThatBreaksARule(int flags, int acks, int credits, int bytes, String reason)
            throws Exception {
        Conn conn = greet();

        intruder.frame(flags, acks, credits, bytes);

        assertRefuses(conn, reason);
    }

    @ParameterizedTest
    @ValueSource(ints = {28, 29, 30, 31})
    void refusesEachReservedBit(int bit) throws Exception {
        Conn conn = greet();

        intruder.send(FrameDescriptor.encode(FrameFlags.LAST, 0, 0) | 1 << bit, 8);

        assertRefuses(conn, "reserved bits");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 1024})
    void refusesAFrameWithoutImmediateData(int bytes) throws Exception {
        Conn conn = greet();

        intruder.sendWithoutImmediate(bytes);

        assertRefuses(conn, "a frame of " + bytes + " bytes arrived without its header");
    }

    @Test
    void endsWithAFrameThatIsLongerThanASlot() throws Exception {
        Conn conn = greet();
        intruder.frame(FrameFlags.LAST, 0, 0, 1024);
        intruder.frame(FrameFlags.LAST, 0, 0, 1025);

        assertThat(conn.recvMsg()).hasSize(1024);
        assertThatThrownBy(conn::recvMsg)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("LOCAL_LENGTH_ERROR");
        assertThat(conn.isOpen()).isFalse();
    }

    @Test
    void refusesDataBeyondTheWindow() throws Exception {
        Conn conn = greet();
        for (int i = 0; i < 5; i++) {
            intruder.frame(FrameFlags.LAST, 0, 0, 1);
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
            intruder.frame(FrameFlags.CREDIT, 0, 0, 0);
        }
        assertRefuses(conn, "control window");
    }

    @Test
    void refusesAMessageBeyondTheCapWithoutCollectingIt() throws Exception {
        Conn conn = greet();
        for (int i = 0; i < 3; i++) {
            intruder.frame(FrameFlags.MORE, 0, 0, 1024);
        }
        assertRefuses(conn, "this end takes 3000");
    }

    @Test
    void refusesTheEndInTheMiddleOfAMessage() throws Exception {
        Conn conn = greet();
        intruder.frame(FrameFlags.MORE, 0, 0, 10);
        intruder.frame(FrameFlags.FIN, 0, 0, 0);

        assertRefuses(conn, "middle of a message, after 10 bytes");
    }

    @Test
    void refusesFramesAfterTheEnd() throws Exception {
        Conn conn = greet();
        intruder.frame(FrameFlags.FIN, 0, 0, 0);
        assertThat(conn.recvMsg()).isNull();
        intruder.frame(FrameFlags.LAST, 0, 0, 0);
        assertThat(conn.isOpen()).isFalse();
    }

    @Test
    void neverThrowsAnythingElseWhateverArrives() throws Exception {
        long seed = 20261129;
        System.out.println("IntruderTest seed " + seed);
        Random random = new Random(seed);
        Conn conn = greet();
        conn.timeout(java.time.Duration.ofMillis(1));
        for (int i = 0; i < 5000 && conn.isOpen(); i++) {
            int bytes = 1 + random.nextInt(64);
            switch (random.nextInt(40)) {
                case 0 -> intruder.send(random.nextInt(), bytes);
                case 1 -> intruder.send(1 << random.nextInt(32), random.nextInt(2));
                case 2 -> intruder.sendWithoutImmediate(bytes);
                default -> intruder.frame(random.nextInt(2), 0, 0, bytes);
            }
            try {
                byte[] message = conn.recvMsg();
                assertThat(message).hasSizeBetween(0, 3000);
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
        intruder.send(HelloDescriptor.HEADER, HelloDescriptor.LENGTH);

        assertRefusedToOpen("a raw connection");
        assertThat(FrameDescriptor.flags(intruder.awaitFrame())).isEqualTo(FrameFlags.HELLO);
    }

    @Test
    void refusesAnotherVersion() throws Exception {
        HelloDescriptor.write(intruder.payload(), 0, HELLO);
        intruder.payload().set(ValueLayout.JAVA_BYTE, 9, (byte) 77);
        intruder.send(HelloDescriptor.HEADER, HelloDescriptor.LENGTH);

        assertRefusedToOpen("version 77");
    }

    @Test
    void refusesAPeerWhoseHeadersAreNotInImmediateData() throws Exception {
        HelloDescriptor.write(intruder.payload(), 8, HELLO);
        intruder.payload().set(ValueLayout.JAVA_BYTE, 8 + 9, (byte) 2);
        intruder.payload().set(ValueLayout.JAVA_BYTE, 0, (byte) FrameFlags.HELLO);
        intruder.payload().set(ValueLayout.JAVA_BYTE, 7, (byte) HelloDescriptor.LENGTH);
        intruder.sendWithoutImmediate(8 + HelloDescriptor.LENGTH);

        assertRefusedToOpen("the peer speaks version 2, this end version 3");
    }

    @Test
    void refusesAHelloWithoutImmediateData() throws Exception {
        HelloDescriptor.write(intruder.payload(), 0, HELLO);
        intruder.sendWithoutImmediate(HelloDescriptor.LENGTH);

        assertRefusedToOpen("no header");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 15, 16, 23, 24, 25, 26, 27, 28, 29, 30, 31})
    void refusesAHelloWithAnyOtherBit(int bit) throws Exception {
        HelloDescriptor.write(intruder.payload(), 0, HELLO);
        intruder.send(HelloDescriptor.HEADER ^ 1 << bit, HelloDescriptor.LENGTH);

        assertRefusedToOpen("no hello: header 0x");
    }

    @Test
    void refusesAStranger() throws Exception {
        intruder.frame(FrameFlags.LAST, 0, 0, 100);

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
        intruder.frame(FrameFlags.LAST, 0, 0, 3);
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
