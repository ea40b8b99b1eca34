package io.rdmanet.ffm.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ExecutionGuardTest {
    private final ExecutionGuard guard = new ExecutionGuard();

    @Test
    void letsNobodyInAfterItWasClosed() {
        assertThat(guard.tryEnter()).isTrue();
        guard.leave();
        assertThat(guard.tryClose()).isTrue();

        assertThat(guard.tryEnter()).isFalse();
        assertThat(guard.tryClose()).isTrue();
    }

    @Test
    void waitsForTheThreadThatIsInside() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leaving = new CountDownLatch(1);
        AtomicBoolean isClosed = new AtomicBoolean();
        FutureTask<Boolean> executing =
                new FutureTask<>(() -> {
                    guard.tryEnter();
                    inside.countDown();
                    leaving.await();
                    boolean wasClosed = isClosed.get();
                    guard.leave();
                    return wasClosed;
                });
        Thread.ofPlatform().daemon().start(executing);
        inside.await();
        FutureTask<Void> closing =
                new FutureTask<>(() -> {
                    guard.tryClose();
                    isClosed.set(true);
                    return null;
                });
        Thread.ofPlatform().daemon().start(closing);
        Thread.sleep(50);
        assertThat(closing.isDone()).isFalse();

        leaving.countDown();

        assertThat(executing.get()).as("closed while the thread was inside").isFalse();
        closing.get();
    }

    /// What is used inside is never used after its end, however the two sides race.
    @Test
    void neverOverlapsWithTheEnd() throws Exception {
        for (int round = 0; round < 200; round++) {
            ExecutionGuard current = new ExecutionGuard();
            AtomicBoolean isDestroyed = new AtomicBoolean();
            CountDownLatch started = new CountDownLatch(1);
            FutureTask<Boolean> executing =
                    new FutureTask<>(() -> {
                        boolean isSound = true;
                        started.countDown();
                        while (current.tryEnter()) {
                            isSound &= !isDestroyed.getPlain();
                            current.leave();
                        }
                        return isSound;
                    });
            Thread.ofPlatform().daemon().start(executing);
            started.await();

            assertThat(current.tryClose()).isTrue();
            isDestroyed.set(true);

            assertThat(executing.get()).as("round %d", round).isTrue();
        }
    }

    @Test
    void pausesAndGoesOn() throws Exception {
        assertThat(guard.tryPause()).isTrue();
        FutureTask<Boolean> entering = new FutureTask<>(guard::tryEnter);
        Thread.ofPlatform().daemon().start(entering);
        Thread.sleep(50);
        assertThat(entering.isDone()).isFalse();

        guard.resume();

        assertThat(entering.get()).isTrue();
        guard.leave();
        assertThat(guard.tryClose()).isTrue();
        assertThat(guard.tryEnter()).isFalse();
    }

    /// The one who closes destroys only what nobody uses.
    @Test
    void refusesToCloseOrPauseUnderAThreadThatStaysInside() {
        ExecutionGuard impatient = new ExecutionGuard(1_000_000);
        assertThat(impatient.tryEnter()).isTrue(); // and stays there

        assertThat(impatient.tryClose()).isFalse();
        assertThat(impatient.tryPause()).isFalse();
        assertThat(ExecutionGuard.tryCloseBoth(guard, impatient)).isFalse();
        assertThat(ExecutionGuard.tryCloseBoth(impatient, guard)).isFalse();

        impatient.leave();
        assertThat(impatient.tryEnter()).as("open as before").isTrue();
        impatient.leave();
        assertThat(guard.tryEnter()).as("the other one, too").isTrue();
        guard.leave();
        assertThat(ExecutionGuard.tryCloseBoth(guard, impatient)).isTrue();
        assertThat(impatient.tryEnter()).isFalse();
        assertThat(guard.tryEnter()).isFalse();
    }
}
