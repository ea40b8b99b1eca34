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
    void letsLeasesAndClaimsDieWithTheConnection() throws Exception {
        Ends ends = open(options());
        ends.dialler().sendMsg(message(1, 1));
        ReceivedMessage lease = lease(ends.listener());
        SendSlot slot = ends.listener().claim(1);
        ends.listener().close();

        assertThatCode(lease::close).doesNotThrowAnyException();
        assertThatCode(slot::cancel).doesNotThrowAnyException();
        assertThatThrownBy(slot::commit)
                .isInstanceOfAny(java.io.IOException.class, IllegalStateException.class);
    }
}
