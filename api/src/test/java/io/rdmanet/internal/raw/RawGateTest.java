package io.rdmanet.internal.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RawGateTest {
    private final RawGate gate = new RawGate();

    @Test
    void letsOneWorkAtATime() throws Exception {
        gate.enter();
        assertThatThrownBy(gate::enter).isInstanceOf(IllegalStateException.class);
        assertThat(gate.leave()).isFalse();
        gate.enter();
        assertThat(gate.leave()).isFalse();
    }

    @Test
    void makesTheOneWhoClosesTearDownIfNobodyWorks() {
        assertThat(gate.close()).isTrue();
        assertThat(gate.close()).isFalse();
        assertThatThrownBy(gate::enter).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void makesTheWorkerTearDownIfItClosesItself() throws Exception {
        gate.enter();
        assertThat(gate.close()).isFalse();
        assertThat(gate.isClosing()).isTrue();
        assertThat(gate.leave()).isTrue();
        assertThat(gate.close()).isFalse();
    }

    @Test
    void waitsForAWorkerOfAnotherThread() throws Exception {
        gate.enter();
        CompletableFuture<Boolean> closer = CompletableFuture.supplyAsync(gate::close);
        while (!gate.isClosing()) {
            Thread.onSpinWait();
        }
        boolean isWorkersTask = gate.leave();
        assertThat(closer.get(5, TimeUnit.SECONDS)).isEqualTo(!isWorkersTask);
    }

    @Test
    void makesExactlyOneTearDownHoweverManyClose() throws Exception {
        for (int round = 0; round < 200; round++) {
            RawGate raced = new RawGate();
            raced.enter();
            CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(raced::close);
            CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(raced::close);
            int count = raced.leave() ? 1 : 0;
            count += first.get(5, TimeUnit.SECONDS) ? 1 : 0;
            count += second.get(5, TimeUnit.SECONDS) ? 1 : 0;
            assertThat(count).isEqualTo(1);
        }
    }
}
