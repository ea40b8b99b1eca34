package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.Conn;
import io.rdmanet.DeadlineException;
import io.rdmanet.ReceivedMessage;
import io.rdmanet.SendSlot;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Flow control: no frame meets an empty receive queue, and nothing deadlocks, whatever the
/// windows.
public abstract class ConnFlowContract extends ConnVerbsContract {
    /// Messages per direction; slow devices override it.
    protected int messages() {
        return 1000;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 128})
    void carriesMessagesOneWay(int window) throws Exception {
        Ends ends = open(options().withDepth(window));
        Running<Void> sending = sending(ends.dialler());

        receiveNumbered(ends.listener(), messages());

        sending.join();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 128})
    void carriesMessagesBothWaysAtOnceWithTwoThreadsPerEnd(int window) throws Exception {
        Ends ends = open(options().withDepth(window));
        Running<Void> there = sending(ends.dialler());
        Running<Void> back = sending(ends.listener());
        Running<Void> receiving = receiving(ends.dialler());

        receiveNumbered(ends.listener(), messages());

        receiving.join();
        there.join();
        back.join();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 128})
    void echoesInOrder(int window) throws Exception {
        Ends ends = open(options().withDepth(window));
        int count = 2 * messages();
        Running<Void> echo = echoing(ends.listener());
        Running<Void> sending =
                start(
                        "send",
                        () -> {
                            sendNumbered(ends.dialler(), count);
                            return null;
                        });

        receiveNumbered(ends.dialler(), count);

        sending.join();
        ends.dialler().close();
        echo.join();
    }

    @ParameterizedTest
    @CsvSource({"128,1", "1,128", "128,8", "3,2", "1,2"})
    void worksWithWindowsThatDiffer(int dialling, int listening) throws Exception {
        Ends ends = open(options().withDepth(dialling), options().withDepth(listening));
        Running<Void> there = sending(ends.dialler());
        Running<Void> back = sending(ends.listener());
        Running<Void> receiving = receiving(ends.dialler());

        receiveNumbered(ends.listener(), messages());

        receiving.join();
        there.join();
        back.join();
    }

    @ParameterizedTest
    @CsvSource({"64,65536", "65536,64", "1024,100", "100,1024"})
    void worksWithSlotsThatDiffer(int dialling, int listening) throws Exception {
        Ends ends = open(options().withSlotBytes(dialling), options().withSlotBytes(listening));
        int slot = Math.min(dialling, listening);
        assertThat(ends.dialler().sendSlotBytes()).isEqualTo(slot);
        assertThat(ends.listener().sendSlotBytes()).isEqualTo(slot);
        Running<Void> there = sending(ends.dialler());
        Running<Void> back = sending(ends.listener());
        Running<Void> receiving = receiving(ends.dialler());

        receiveNumbered(ends.listener(), messages());

        receiving.join();
        there.join();
        back.join();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 128})
    void letsBothEndsSendAWholeWindowBeforeEitherReads(int window) throws Exception {
        Ends ends = open(options().withDepth(window));
        for (int i = 0; i < window; i++) {
            ends.dialler().sendMsg(message(10, i));
            ends.listener().sendMsg(message(10, i));
        }
        for (int i = 0; i < window; i++) {
            assertMessage(ends.dialler().recvMsg(), 10, i);
            assertMessage(ends.listener().recvMsg(), 10, i);
        }
        // And again, since credits must have come back.
        for (int i = 0; i < window; i++) {
            ends.dialler().sendMsg(message(10, i));
            assertMessage(ends.listener().recvMsg(), 10, i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 128})
    void stopsASenderWhoseReceiverStopsReadingAndGoesOnWhenItReads(int window) throws Exception {
        Ends ends = open(options().withDepth(window));
        ends.dialler().timeout(Duration.ofMillis(200));
        int sent = 0;
        try {
            while (sent <= window) {
                ends.dialler().sendMsg(message(1, sent));
                sent++;
            }
        } catch (DeadlineException expected) {
            assertThat(expected).hasMessageContaining("credit");
        }
        assertThat(sent).isEqualTo(window);
        assertThat(ends.dialler().isOpen()).isTrue();

        ends.dialler().timeout(patience());
        for (int i = 0; i < window; i++) {
            assertMessage(ends.listener().recvMsg(), 1, i);
        }
        Running<Void> sending = sending(ends.dialler());
        receiveNumbered(ends.listener(), messages());
        sending.join();
    }

    @Test
    void failsAMessageOfWhichOnlyAPartCouldBeSent() throws Exception {
        Ends ends = open(options().withDepth(2));
        ends.dialler().timeout(Duration.ofMillis(200));

        assertThatThrownBy(() -> ends.dialler().sendMsg(message(5 * SLOT, 1)))
                .isInstanceOf(DeadlineException.class);

        assertThat(ends.dialler().isOpen()).isFalse();
        assertThatThrownBy(() -> ends.dialler().sendMsg(message(1, 1)))
                .hasMessageContaining("credit");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 128})
    void returnsCreditsOfLeasesClosedInAnyOrderByAnotherThread(int window) throws Exception {
        Ends ends = open(options().withDepth(window));
        Running<Void> sending =
                start(
                        "send",
                        () -> {
                            for (int i = 0; i < messages(); i++) {
                                ends.dialler().sendMsg(message(i % SLOT, i));
                            }
                            return null;
                        });
        Deque<ReceivedMessage> held = new ArrayDeque<>();
        for (int i = 0; i < messages(); i++) {
            ReceivedMessage lease = lease(ends.listener());
            Payload.assertHolds(lease.segment(), 0, i % SLOT, i);
            held.add(lease);
            if (held.size() == window) {
                Running<Void> closing =
                        start(
                                "close",
                                () -> {
                                    while (!held.isEmpty()) {
                                        held.pollLast().close();
                                    }
                                    return null;
                                });
                closing.join();
            }
        }
        sending.join();
    }

    @Test
    void returnsTheCreditOfOneLeaseClosedWhileTheReceiverSleeps() throws Exception {
        Ends ends = open(options().withDepth(8));
        for (int i = 0; i < 8; i++) {
            ends.dialler().sendMsg(message(4, i));
        }
        ReceivedMessage[] leases = new ReceivedMessage[8];
        for (int i = 0; i < 8; i++) {
            leases[i] = lease(ends.listener());
        }
        Running<byte[]> receiving = start("receive", () -> ends.listener().recvMsg());
        awaitBlocked(receiving);
        leases[3].close();

        ends.dialler().sendMsg(message(4, 8));

        assertMessage(receiving.join(), 4, 8);
    }

    @Test
    void letsASenderHoldAWholeWindowOfClaimsAfterItSentSome() throws Exception {
        int window = 8;
        Ends ends = open(options().withDepth(window));
        Running<Void> receiving =
                start(
                        "receive",
                        () -> {
                            MemorySegment buffer = openArena().allocate(SLOT);
                            while (ends.listener().recvMsg(buffer) != Conn.END_OF_STREAM) {
                                assertThat(buffer.byteSize()).isEqualTo(SLOT);
                            }
                            return null;
                        });
        SendSlot[] slots = new SendSlot[window];
        for (int round = 0; round < 50; round++) {
            int claimed = 0;
            while (claimed < window) {
                slots[claimed] = ends.dialler().claim(8);
                claimed++;
            }
            for (int i = 0; i < window; i++) {
                slots[i].commit();
                Thread.sleep(0, 100_000);
            }
        }
        ends.dialler().close();
        receiving.join();
    }

    private Running<Void> sending(Conn conn) {
        return start(
                "send",
                () -> {
                    sendNumbered(conn, messages());
                    return null;
                });
    }

    private Running<Void> receiving(Conn conn) {
        return start(
                "receive",
                () -> {
                    receiveNumbered(conn, messages());
                    return null;
                });
    }

    private Running<Void> echoing(Conn conn) {
        return start(
                "echo",
                () -> {
                    for (byte[] next = conn.recvMsg(); next != null; next = conn.recvMsg()) {
                        conn.sendMsg(next);
                    }
                    return null;
                });
    }
}
