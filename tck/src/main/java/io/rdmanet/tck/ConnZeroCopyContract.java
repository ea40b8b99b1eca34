package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.DeadlineException;
import io.rdmanet.ReceivedMessage;
import io.rdmanet.SendSlot;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Slots that are claimed and leases: who owns what until when.
public abstract class ConnZeroCopyContract extends ConnVerbsContract {
    @Test
    void carriesWhatWasWrittenIntoAClaimedSlot() throws Exception {
        Ends ends = open(options());
        for (int length : new int[] {0, 1, SLOT - 1, SLOT}) {
            SendSlot slot = ends.dialler().claim(length);
            assertThat(slot.length()).isEqualTo(length);
            assertThat(slot.segment().byteSize()).isGreaterThanOrEqualTo(length);
            Payload.fill(slot.segment(), 0, length, length);
            slot.commit();
            assertMessage(ends.listener().recvMsg(), length, length);
        }
    }

    @Test
    void alignsSlotsAndLeasesToCacheLines() throws Exception {
        Ends ends = open(options().withSlotBytes(100));
        for (int i = 0; i < 20; i++) {
            SendSlot slot = ends.dialler().claim(10);
            assertThat(slot.segment().address() % 64).isZero();
            slot.commit();
            try (ReceivedMessage lease = lease(ends.listener())) {
                assertThat(lease.segment().address() % 64).isZero();
            }
        }
    }

    @Test
    void sendsInTheOrderOfCommits() throws Exception {
        Ends ends = open(options());
        SendSlot first = ends.dialler().claim(4);
        SendSlot second = ends.dialler().claim(5);
        Payload.fill(first.segment(), 0, 4, 1);
        Payload.fill(second.segment(), 0, 5, 2);

        second.commit();
        first.commit();

        assertMessage(ends.listener().recvMsg(), 5, 2);
        assertMessage(ends.listener().recvMsg(), 4, 1);
    }

    @Test
    void claimsAndCommitsBatchesAsChains() throws Exception {
        Ends ends = open(options());
        Running<Void> sending =
                start(
                        "send",
                        () -> {
                            SendSlot[] slots = new SendSlot[5];
                            int sent = 0;
                            while (sent < 500) {
                                int wanted = Math.min(slots.length, 500 - sent);
                                int claimed = ends.dialler().claim(slots, wanted, SLOT);
                                assertThat(claimed).isBetween(1, wanted);
                                for (int i = 0; i < claimed; i++) {
                                    int length = (sent + i) * 7 % (SLOT + 1);
                                    Payload.fill(slots[i].segment(), 0, length, sent + i);
                                    slots[i].truncate(length);
                                }
                                ends.dialler().commit(slots, claimed);
                                sent += claimed;
                            }
                            ends.dialler().flush();
                            return null;
                        });
        for (int i = 0; i < 500; i++) {
            assertMessage(ends.listener().recvMsg(), i * 7 % (SLOT + 1), i);
        }
        sending.join();
    }

    @Test
    void givesSlotAndCreditOfACancelledClaimBack() throws Exception {
        Ends ends = open(options().withDepth(1));
        for (int i = 0; i < 100; i++) {
            SendSlot slot = ends.dialler().claim(1);
            slot.cancel();
            slot.cancel();
        }
        ends.dialler().sendMsg(message(1, 1));
        assertMessage(ends.listener().recvMsg(), 1, 1);
    }

    @Test
    void refusesMisuseOfSlotsBeforeAnythingChanges() throws Exception {
        Ends ends = open(options());
        SendSlot slot = ends.dialler().claim(10);
        SendSlot foreign = ends.listener().claim(10);

        assertThatThrownBy(() -> slot.truncate(11)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> slot.truncate(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ends.dialler().commit(new SendSlot[] {slot, foreign}, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ends.dialler().claim(SLOT + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ends.dialler().claim(-1))
                .isInstanceOf(IllegalArgumentException.class);
        Payload.fill(slot.segment(), 0, 10, 1);
        slot.commit();
        assertThatThrownBy(slot::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> slot.truncate(1)).isInstanceOf(IllegalStateException.class);
        assertMessage(ends.listener().recvMsg(), 10, 1);
    }

    @Test
    void refusesTheSameSlotTwiceInOneBatch() throws Exception {
        Ends ends = open(options());
        SendSlot slot = ends.dialler().claim(10);

        assertThatThrownBy(() -> ends.dialler().commit(new SendSlot[] {slot, slot}, 2))
                .isInstanceOf(IllegalArgumentException.class);

        slot.commit();
        ends.dialler().sendMsg(message(1, 1));
        assertThat(ends.listener().recvMsg()).hasSize(10);
        assertMessage(ends.listener().recvMsg(), 1, 1);
    }

    @Test
    void mixesClaimsWithOtherCalls() throws Exception {
        Ends ends = open(options());
        SendSlot slot = ends.dialler().claim(3);
        Payload.fill(slot.segment(), 0, 3, 2);
        ends.dialler().sendMsg(message(SLOT * 3, 1));
        slot.commit();
        ends.dialler().sendMsg(message(4, 3));

        assertMessage(ends.listener().recvMsg(), 3 * SLOT, 1);
        assertMessage(ends.listener().recvMsg(), 3, 2);
        assertMessage(ends.listener().recvMsg(), 4, 3);
    }

    @Test
    void leavesALeaseUntouchedWhileOthersAreUsedAgain() throws Exception {
        Ends ends = open(options().withDepth(4));
        ends.dialler().sendMsg(message(SLOT, 42));
        ReceivedMessage kept = lease(ends.listener());

        for (int i = 0; i < 100; i++) {
            ends.dialler().sendMsg(message(SLOT, i));
            assertMessage(ends.listener().recvMsg(), SLOT, i);
        }

        Payload.assertHolds(kept.segment(), 0, SLOT, 42);
        kept.close();
        kept.close();
    }

    @Test
    void stopsThePeerWhileAllReceivesAreLeased() throws Exception {
        Ends ends = open(options().withDepth(2));
        ends.dialler().timeout(Duration.ofMillis(200));
        ends.dialler().sendMsg(message(1, 0));
        ends.dialler().sendMsg(message(1, 1));
        ReceivedMessage first = lease(ends.listener());
        ReceivedMessage second = lease(ends.listener());
        assertThatThrownBy(() -> ends.dialler().sendMsg(message(1, 2)))
                .isInstanceOf(DeadlineException.class);

        second.close();
        ends.dialler().sendMsg(message(1, 3));

        assertMessage(ends.listener().recvMsg(), 1, 3);
        Payload.assertHolds(first.segment(), 0, 1, 0);
        first.close();
    }

    @Test
    void leasesMessagesOfSeveralFramesSeveralAtOnce() throws Exception {
        Ends ends = open(options());
        Running<Void> sending =
                start(
                        "send",
                        () -> {
                            for (int i = 0; i < 6; i++) {
                                ends.dialler().sendMsg(message(5 * SLOT + i, i));
                            }
                            return null;
                        });
        ReceivedMessage[] leases = new ReceivedMessage[3];
        for (int i = 0; i < 6; i++) {
            ReceivedMessage lease = lease(ends.listener());
            leases[i % 3] = lease;
            if (i % 3 == 2) {
                for (int j = 0; j < 3; j++) {
                    int n = i - 2 + j;
                    Payload.assertHolds(leases[j].segment(), 0, 5 * SLOT + n, n);
                    leases[j].close();
                }
            }
        }
        sending.join();
    }

    @Test
    void leasesAndClosesMessagesOfAnyLengthTogether() throws Exception {
        int count = 200;
        Ends ends = open(options().withDepth(8));
        Running<Void> sending =
                start(
                        "send",
                        () -> {
                            sendNumbered(ends.dialler(), count);
                            return null;
                        });
        ReceivedMessage[] leases = new ReceivedMessage[5];
        int received = 0;
        while (received < count) {
            int taken = ends.listener().receiveLeases(leases, leases.length);
            assertThat(taken).isBetween(1, leases.length);
            for (int i = 0; i < taken; i++) {
                int n = received + i;
                assertThat(leases[i].length()).isEqualTo(variedLength(n));
                Payload.assertHolds(leases[i].segment(), 0, variedLength(n), n);
            }
            ends.listener().closeLeases(leases, taken);
            received += taken;
        }
        sending.join();
    }

    @Test
    void takesWhatIsThereAndNoMoreThanAskedFor() throws Exception {
        Ends ends = open(options());
        for (int i = 0; i < 5; i++) {
            ends.dialler().sendMsg(message(3, i));
        }
        ReceivedMessage[] leases = new ReceivedMessage[8];
        ends.listener().timeout(patience());

        int first = ends.listener().receiveLeases(leases, 2);
        assertThat(first).isBetween(1, 2);
        Payload.assertHolds(leases[0].segment(), 0, 3, 0);
        ends.listener().closeLeases(leases, first);
        int received = first;
        while (received < 5) {
            int more = ends.listener().receiveLeases(leases, 8);
            Payload.assertHolds(leases[0].segment(), 0, 3, received);
            ends.listener().closeLeases(leases, more);
            received += more;
        }
        assertThat(received).isEqualTo(5);
    }

    @Test
    void closesALeaseOnceThatWasClosedByItselfAndWithOthers() throws Exception {
        Ends ends = open(options().withDepth(2));
        ends.dialler().sendMsg(message(1, 0));
        ends.dialler().sendMsg(message(1, 1));
        ReceivedMessage[] leases = {lease(ends.listener()), lease(ends.listener())};

        leases[0].close();
        ends.listener().closeLeases(leases, 2);
        ends.listener().closeLeases(leases, 2);

        for (int i = 2; i < 20; i++) {
            ends.dialler().sendMsg(message(1, i));
            assertMessage(ends.listener().recvMsg(), 1, i);
        }
    }

    @Test
    void refusesToLeaseIntoTooSmallAnArrayOrNone() throws Exception {
        Ends ends = open(options());

        assertThatThrownBy(() -> ends.listener().receiveLeases(new ReceivedMessage[1], 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("max is 2");
        assertThatThrownBy(() -> ends.listener().receiveLeases(new ReceivedMessage[1], 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesToCloseMoreLeasesThanTheArrayHasOrFewerThanNone() throws Exception {
        Ends ends = open(options());

        for (int count : new int[] {-1, 2}) {
            assertThatThrownBy(() -> ends.listener().closeLeases(new ReceivedMessage[1], count))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void refusesToCloseLeasesOfAnotherConnectionAndThenClosesNone() throws Exception {
        Ends ends = open(options());
        ends.dialler().sendMsg(message(1, 1));
        ends.listener().sendMsg(message(1, 2));
        ReceivedMessage own = lease(ends.listener());
        ReceivedMessage foreign = lease(ends.dialler());
        ReceivedMessage[] mixed = {own, foreign};

        assertThatThrownBy(() -> ends.listener().closeLeases(mixed, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another connection");

        Payload.assertHolds(own.segment(), 0, 1, 1);
        own.close();
        foreign.close();
    }

    @Test
    void letsLeasesAndClaimsDieWithTheConnection() throws Exception {
        Ends ends = open(options());
        ends.dialler().sendMsg(message(1, 1));
        ReceivedMessage lease = lease(ends.listener());
        SendSlot slot = ends.listener().claim(1);
        ends.listener().close();

        assertThatCode(lease::close).doesNotThrowAnyException();
        assertThatCode(() -> ends.listener().closeLeases(new ReceivedMessage[] {lease}, 1))
                .doesNotThrowAnyException();
        assertThatCode(slot::cancel).doesNotThrowAnyException();
        assertThatThrownBy(slot::commit)
                .isInstanceOfAny(java.io.IOException.class, IllegalStateException.class);
    }
}
