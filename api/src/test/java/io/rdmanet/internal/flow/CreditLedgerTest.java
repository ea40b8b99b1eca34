package io.rdmanet.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.internal.frame.FrameDescriptor;
import io.rdmanet.internal.frame.FrameFlags;
import io.rdmanet.internal.frame.HelloDescriptor.MessageHello;
import org.junit.jupiter.api.Test;

class CreditLedgerTest {
    private static final int CONTROL = 5;

    @Test
    void grantsNothingBeforeTheHello() {
        assertThat(new CreditLedger(8, CONTROL).credits()).isZero();
    }

    @Test
    void grantsThePeersWindowNotItsOwn() {
        CreditLedger ledger = opened(128, 8);

        assertThat(ledger.credits()).isEqualTo(8);
        ledger.useCredits(8);
        assertThat(ledger.credits()).isZero();
        ledger.returnUnused(3);
        assertThat(ledger.credits()).isEqualTo(3);
    }

    @Test
    void returnsCreditsWithTheNextHeader() {
        CreditLedger ledger = opened(8, 8);
        receiveData(ledger, 3);
        ledger.onReposted(2);

        int header = ledger.stamp(FrameFlags.LAST);

        assertThat(FrameDescriptor.credits(header)).isEqualTo(2);
        assertThat(ledger.owed()).isZero();
        ledger.unstamp(header);
        assertThat(ledger.owed()).isEqualTo(2);
    }

    @Test
    void asksForACreditFrameAtHalfAWindowOrWhenBlocking() {
        CreditLedger ledger = opened(8, 8);
        receiveData(ledger, 4);
        ledger.onReposted(3);
        assertThat(ledger.isCreditFrameDue(false)).isFalse();
        assertThat(ledger.isCreditFrameDue(true)).isTrue();
        ledger.onReposted(1);
        assertThat(ledger.isCreditFrameDue(false)).isTrue();
    }

    @Test
    void knowsAPeerThatHasHalfItsWindowLeft() {
        CreditLedger ledger = opened(8, 8);
        assertThat(ledger.isPeerSupplied()).isTrue();
        receiveData(ledger, 4);
        ledger.onReposted(4);
        assertThat(ledger.isPeerSupplied()).isTrue();
        receiveData(ledger, 1);
        assertThat(ledger.isPeerSupplied()).isFalse();
        sendCredit(ledger);
        assertThat(ledger.isPeerSupplied()).isTrue();
    }

    @Test
    void neverTakesAPeerForSuppliedThatHasUsedUpItsWindow() {
        for (int window : new int[] {1, 2, 3, 8}) {
            CreditLedger ledger = opened(window, 8);
            receiveData(ledger, window);
            ledger.onReposted(window);
            assertThat(ledger.isPeerSupplied()).as("window %d", window).isFalse();
        }
    }

    @Test
    void asksForACreditFrameAtOnceWithAWindowOfOne() {
        CreditLedger ledger = opened(1, 1);
        receiveData(ledger, 1);
        ledger.onReposted(1);

        assertThat(ledger.isCreditFrameDue(false)).isTrue();
    }

    @Test
    void keepsTwoControlPlacesFromCreditFrames() {
        CreditLedger ledger = opened(8, 8);
        for (int i = 0; i < CONTROL - CreditLedger.RESERVED_CONTROL; i++) {
            receiveData(ledger, 1);
            ledger.onReposted(1);
            assertThat(ledger.isCreditFrameDue(true)).isTrue();
            sendCredit(ledger);
        }
        receiveData(ledger, 1);
        ledger.onReposted(1);
        assertThat(ledger.isCreditFrameDue(true)).isFalse();
        assertThat(ledger.mayEnd()).isTrue();
        assertThat(ledger.onHeader(0, 1)).isEmpty();
        assertThat(ledger.isCreditFrameDue(true)).isTrue();
    }

    @Test
    void acknowledgesWithoutCreditsOnlyAPeerThatIsStuck() {
        CreditLedger ledger = opened(8, 8);
        ledger.onControl();
        ledger.onControl();
        assertThat(ledger.isCreditFrameDue(true)).isFalse();
        ledger.onControl();
        assertThat(ledger.isCreditFrameDue(false)).isFalse();
        assertThat(ledger.isCreditFrameDue(true)).isTrue();

        int header = sendCredit(ledger);

        assertThat(FrameDescriptor.controlAcks(header)).isEqualTo(3);
        assertThat(FrameDescriptor.credits(header)).isZero();
        assertThat(ledger.isCreditFrameDue(true)).isFalse();
    }

    @Test
    void refusesCreditsBeyondTheWindow() {
        CreditLedger ledger = opened(8, 8);
        ledger.useCredits(2);

        assertThat(ledger.onHeader(3, 0)).contains("3 credits");
        assertThat(ledger.credits()).isEqualTo(6);
        assertThat(ledger.onHeader(2, 0)).isEmpty();
        assertThat(ledger.onHeader(1, 0)).isNotEmpty();
        assertThat(ledger.onHeader(65535, 0)).isNotEmpty();
    }

    @Test
    void refusesAcknowledgementsOfWhatWasNotSent() {
        CreditLedger ledger = opened(8, 8);
        assertThat(ledger.onHeader(0, 1)).contains("acknowledged 1");
        ledger.onControlSend();
        assertThat(ledger.onHeader(0, 2)).isNotEmpty();
        assertThat(ledger.onHeader(0, 1)).isEmpty();
    }

    @Test
    void refusesDataWithoutCredit() {
        CreditLedger ledger = opened(2, 8);

        assertThat(ledger.onData()).isEmpty();
        assertThat(ledger.onData()).isEmpty();
        assertThat(ledger.onData()).contains("window 2");
    }

    @Test
    void refusesMoreControlFramesThanItHasReceivesFor() {
        CreditLedger ledger = opened(2, 8);
        for (int i = 0; i < CONTROL; i++) {
            assertThat(ledger.onControl()).isEmpty();
        }

        assertThat(ledger.onControl()).contains("control window");
    }

    private static CreditLedger opened(int own, int peer) {
        CreditLedger ledger = new CreditLedger(own, CONTROL);
        ledger.onHello(new MessageHello(0, 64, peer, 1000, CONTROL));
        return ledger;
    }

    private static void receiveData(CreditLedger ledger, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(ledger.onData()).isEmpty();
        }
    }

    private static int sendCredit(CreditLedger ledger) {
        ledger.onControlSend();
        return ledger.stamp(FrameFlags.CREDIT);
    }
}
