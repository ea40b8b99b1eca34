package io.rdmanet.internal.engine;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.DeadlineException;
import org.junit.jupiter.api.Test;

final class WaiterTest {
    private static final long MILLI = 1_000_000;

    @Test
    void tellsTheWholeTimeThatWasAllowedWhateverWasLeftOfIt() {
        Waiter waiter = new Waiter();
        waiter.begin(3, 5000 * MILLI);
        waiter.waitFor(Waiter.Reason.HELLO, 100);

        assertThatCode(() -> waiter.check(102)).doesNotThrowAnyException();
        assertThatThrownBy(() -> waiter.check(103))
                .isInstanceOf(DeadlineException.class)
                .hasMessageStartingWith("waited 5000 ms for ");
    }

    @Test
    void startsTheClockWithTheFirstWaitOfACall() {
        Waiter waiter = new Waiter();
        waiter.begin(7 * MILLI);
        waiter.waitFor(Waiter.Reason.CREDIT, 0);
        waiter.waitFor(Waiter.Reason.COMPLETION, 6 * MILLI);

        assertThatThrownBy(() -> waiter.check(7 * MILLI)).hasMessageContaining("waited 7 ms for ");
    }
}
