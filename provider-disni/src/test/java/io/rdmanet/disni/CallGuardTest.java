package io.rdmanet.disni;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallGuardTest {
    private final CallGuard guard = new CallGuard();

    @Test
    void letsNobodyInAfterItWasClosed() {
        assertThat(guard.tryEnter()).isTrue();
        guard.leave();
        assertThat(guard.tryClose()).isTrue();

        assertThat(guard.tryEnter()).isFalse();
        assertThat(guard.tryClose()).isTrue();
    }

    /// The one who closes destroys only what nobody uses.
    @Test
    void refusesToCloseUnderAThreadThatStaysInside() {
        CallGuard impatient = new CallGuard(1_000_000);
        assertThat(impatient.tryEnter()).isTrue(); // and stays there

        assertThat(impatient.tryClose()).isFalse();
        assertThat(CallGuard.tryCloseBoth(guard, impatient)).isFalse();
        assertThat(CallGuard.tryCloseBoth(impatient, guard)).isFalse();

        impatient.leave();
        assertThat(impatient.tryEnter()).as("open as before").isTrue();
        impatient.leave();
        assertThat(guard.tryEnter()).as("the other one, too").isTrue();
        guard.leave();
        assertThat(CallGuard.tryCloseBoth(guard, impatient)).isTrue();
        assertThat(impatient.tryEnter()).isFalse();
        assertThat(guard.tryEnter()).isFalse();
    }
}
