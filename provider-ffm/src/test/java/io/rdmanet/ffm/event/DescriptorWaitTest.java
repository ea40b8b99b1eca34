package io.rdmanet.ffm.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.ffm.c.Libc;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.tck.AllocatedBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
@EnabledOnOs(value = OS.LINUX, disabledReason = "eventfd and poll are Linux's")
class DescriptorWaitTest {
    private static final long LONG_NANOS = Duration.ofSeconds(30).toNanos();
    private static final int ROUNDS = 20_000;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment one = arena.allocate(Long.BYTES, Long.BYTES);
    private final MemorySegment count = arena.allocate(Long.BYTES, Long.BYTES);
    private int descriptor;
    private DescriptorWait wait;

    @BeforeEach
    void open() throws Exception {
        one.set(ValueLayout.JAVA_LONG, 0, 1);
        descriptor = (int) Libc.eventfd(0, Libc.EFD_CLOEXEC_NONBLOCK);
        wait = new DescriptorWait(descriptor);
    }

    @AfterEach
    void close() {
        wait.close();
        Libc.close(descriptor);
        arena.close();
    }

    @Test
    void endsWhenTheDescriptorCanBeRead() throws Exception {
        Libc.write(descriptor, one);

        assertThat(wait.await(LONG_NANOS)).isEqualTo(DescriptorWait.Outcome.READABLE);
        assertThat(wait.isReadable()).isTrue();
    }

    @Test
    void endsByItsDeadline() throws Exception {
        assertThat(wait.await(0)).isEqualTo(DescriptorWait.Outcome.TIMED_OUT);
        assertThat(wait.await(1)).isEqualTo(DescriptorWait.Outcome.TIMED_OUT);
        assertThat(wait.await(Duration.ofMillis(70).toNanos()))
                .isEqualTo(DescriptorWait.Outcome.TIMED_OUT);
    }

    @Test
    void endsWhenSomebodyWakesItAndOnlyOnce() throws Exception {
        wait.wakeUp();

        assertThat(wait.await(LONG_NANOS)).isEqualTo(DescriptorWait.Outcome.WOKEN);
        assertThat(wait.await(0)).isEqualTo(DescriptorWait.Outcome.TIMED_OUT);
    }

    @Test
    void endsByInterruptionOfAPlatformThread() throws Exception {
        endsByInterruption(Thread.ofPlatform());
    }

    @Test
    void endsByInterruptionOfAVirtualThread() throws Exception {
        endsByInterruption(Thread.ofVirtual());
    }

    private void endsByInterruption(Thread.Builder builder) throws Exception {
        CompletableFuture<String> outcome = new CompletableFuture<>();
        Thread thread =
                builder.start(() -> {
                    try {
                        DescriptorWait.Outcome ended = wait.await(LONG_NANOS);
                        outcome.complete(ended + " " + Thread.currentThread().isInterrupted());
                    } catch (Exception e) {
                        outcome.completeExceptionally(e);
                    }
                });
        thread.interrupt();

        assertThat(outcome.get(20, TimeUnit.SECONDS))
                .isEqualTo(DescriptorWait.Outcome.INTERRUPTED + " true");
        thread.join();
    }

    /// The number of its descriptor is another file's soon, into which 8 bytes must not get.
    @Test
    void writesNowhereWhenItIsWokenAfterItWasClosed() {
        wait.close();
        int[] others = new int[8];
        for (int i = 0; i < others.length; i++) {
            others[i] = (int) Libc.eventfd(0, Libc.EFD_CLOEXEC_NONBLOCK);
        }

        wait.wakeUp();
        wait.close();

        for (int other : others) {
            assertThat(Result.isFailure(Libc.read(other, count))).as("nothing to read").isTrue();
            Libc.close(other);
        }
    }

    @Test
    void allocatesNothing() throws Exception {
        waitOften();

        long before = AllocatedBytes.ofThisThread();
        waitOften();

        assertThat(AllocatedBytes.ofThisThread() - before).isLessThan(ROUNDS);
    }

    private void waitOften() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Libc.write(descriptor, one);
            wait.await(LONG_NANOS);
            Libc.read(descriptor, count);
            wait.await(0);
            wait.isReadable();
            wait.wakeUp();
            wait.await(LONG_NANOS);
        }
    }
}
