package io.rdmanet.loopback;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.CompletionStatus;
import org.junit.jupiter.api.Test;

class RetryTimerTest {
    private static final int SHORTEST_RNR = 1; // 10 us
    private static final int LONGEST_RNR = 0; // 655 ms
    private static final int SHORTEST_TIMEOUT = 1; // 8 us
    private static final int LONGEST_TIMEOUT = 31; // 2.4 hours

    private final DeviceCounters counters = new DeviceCounters();
    private final RetryTimer timer = new RetryTimer(counters);

    private int awaitEnd(int reason, int minRnrTimer) {
        int status = timer.check(reason, minRnrTimer);
        while (status < 0) {
            assertThat(status).isEqualTo(reason);
            Thread.onSpinWait();
            status = timer.check(reason, minRnrTimer);
        }
        return status;
    }

    private long count(String name) {
        return requireNonNull(counters.snapshot().get(name));
    }

    @Test
    void givesUpAtOnceWithoutRnrRetries() {
        timer.configure(LONGEST_TIMEOUT, 7, 0);

        assertThat(timer.check(RetryTimer.NOT_READY, LONGEST_RNR))
                .isEqualTo(CompletionStatus.RNR_RETRY_EXCEEDED_ERROR.code());
        assertThat(count("rcvd_rnr_err")).isOne();
        assertThat(count("retry_rnr_exceeded_err")).isOne();
    }

    @Test
    void givesUpWhenTheReceiverIsNotReadyForTooLong() {
        timer.configure(LONGEST_TIMEOUT, 7, 6);

        assertThat(awaitEnd(RetryTimer.NOT_READY, SHORTEST_RNR))
                .isEqualTo(CompletionStatus.RNR_RETRY_EXCEEDED_ERROR.code());
        assertThat(count("rcvd_rnr_err")).isOne();
        assertThat(count("retry_rnr_exceeded_err")).isOne();
    }

    @Test
    void waitsForTheReceiverForEverWithSevenRetries() {
        timer.configure(LONGEST_TIMEOUT, 7, 7);

        long end = System.nanoTime() + 2_000_000;
        while (System.nanoTime() < end) {
            assertThat(timer.check(RetryTimer.NOT_READY, SHORTEST_RNR))
                    .isEqualTo(RetryTimer.NOT_READY);
        }
        assertThat(count("retry_rnr_exceeded_err")).isZero();
    }

    @Test
    void givesUpWhenThePeerDoesNotAnswer() {
        timer.configure(SHORTEST_TIMEOUT, 7, 7);

        assertThat(awaitEnd(RetryTimer.UNREACHABLE, 0))
                .isEqualTo(CompletionStatus.RETRY_EXCEEDED_ERROR.code());
        assertThat(count("retry_exceeded_err")).isOne();
        assertThat(count("rcvd_rnr_err")).isZero();
    }

    @Test
    void waitsForThePeerForEverWithoutTimeout() {
        timer.configure(0, 0, 0);

        long end = System.nanoTime() + 2_000_000;
        while (System.nanoTime() < end) {
            assertThat(timer.check(RetryTimer.UNREACHABLE, 0)).isEqualTo(RetryTimer.UNREACHABLE);
        }
    }

    @Test
    void doesNotOverflowWithTheLongestTimes() {
        timer.configure(LONGEST_TIMEOUT, 7, 6);

        assertThat(timer.check(RetryTimer.UNREACHABLE, 0)).isEqualTo(RetryTimer.UNREACHABLE);
        assertThat(timer.check(RetryTimer.NOT_READY, LONGEST_RNR)).isEqualTo(RetryTimer.NOT_READY);
        assertThat(timer.check(RetryTimer.NOT_READY, 32)).isEqualTo(RetryTimer.NOT_READY);
    }

    @Test
    void neverGivesUpWhatIsInProgress() {
        timer.configure(SHORTEST_TIMEOUT, 0, 0);

        long end = System.nanoTime() + 2_000_000;
        while (System.nanoTime() < end) {
            assertThat(timer.check(RetryTimer.IN_PROGRESS, SHORTEST_RNR))
                    .isEqualTo(RetryTimer.IN_PROGRESS);
        }
    }

    @Test
    void countsEachTimeThatTheReceiverWasNotReadyOnce() {
        timer.configure(LONGEST_TIMEOUT, 7, 7);

        timer.check(RetryTimer.NOT_READY, LONGEST_RNR);
        timer.check(RetryTimer.NOT_READY, LONGEST_RNR);
        timer.reset();
        timer.check(RetryTimer.NOT_READY, LONGEST_RNR);

        assertThat(count("rcvd_rnr_err")).isEqualTo(2);
    }
}
