package io.rdmanet.ffm.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FarewellsTest {
    private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

    /// Over when a test says so; being destroyed may take as long as it likes.
    private static final class Leaving implements Farewells.Parting {
        private final CountDownLatch destroying = new CountDownLatch(1);
        private final CountDownLatch destroyed = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private volatile boolean isOver;

        @Override
        public boolean isOver() {
            return isOver;
        }

        @Override
        public void destroy() {
            destroying.countDown();
            try {
                assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            destroyed.countDown();
        }

        boolean isDestroyed() throws InterruptedException {
            return destroyed.await(10, TimeUnit.SECONDS);
        }
    }

    private static Leaving leaving() {
        Leaving leaving = new Leaving();
        leaving.mayEnd.countDown();
        return leaving;
    }

    @Test
    void destroysWhatIsOverAndKeepsTheRest() throws Exception {
        Farewells farewells = new Farewells(4, LONG_NANOS);
        Leaving first = leaving();
        Leaving second = leaving();
        farewells.add(first);
        farewells.add(second);

        second.isOver = true;

        assertThat(second.isDestroyed()).isTrue();
        assertThat(first.destroying.getCount()).as("kept").isEqualTo(1);
        first.isOver = true;
        assertThat(first.isDestroyed()).isTrue();
        Leaving later = leaving();
        later.isOver = true;
        farewells.add(later);
        assertThat(later.isDestroyed()).as("after all were gone").isTrue();
    }

    @Test
    void destroysWhatNobodyAnsweredForTooLong() throws Exception {
        Farewells farewells = new Farewells(4, TimeUnit.MILLISECONDS.toNanos(20));
        Leaving unanswered = leaving();

        farewells.add(unanswered);

        assertThat(unanswered.isDestroyed()).isTrue();
    }

    @Test
    void destroysTheOldestWhenThereAreTooMany() throws Exception {
        Farewells farewells = new Farewells(2, LONG_NANOS);
        Leaving oldest = leaving();
        Leaving second = leaving();
        Leaving third = leaving();
        farewells.add(oldest);
        farewells.add(second);
        farewells.add(third);

        assertThat(oldest.isDestroyed()).isTrue();
        assertThat(second.destroying.getCount()).isEqualTo(1);
        assertThat(third.destroying.getCount()).isEqualTo(1);
        second.isOver = true;
        third.isOver = true;
        assertThat(second.isDestroyed() && third.isDestroyed()).isTrue();
    }

    /// Whoever closes a connection waits for nobody else's.
    @Test
    void takesMoreWhileOneIsBeingDestroyed() throws Exception {
        Farewells farewells = new Farewells(1, LONG_NANOS);
        Leaving slow = new Leaving();
        slow.isOver = true;
        farewells.add(slow);
        assertThat(slow.destroying.await(10, TimeUnit.SECONDS)).isTrue();
        Leaving next = leaving();
        next.isOver = true;

        FutureTask<Boolean> adding =
                new FutureTask<>(() -> {
                    for (int i = 0; i < 3; i++) {
                        farewells.add(next);
                    }
                    return true;
                });
        Thread.ofPlatform().daemon().start(adding);

        assertThat(adding.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(slow.destroyed.getCount()).as("still busy").isEqualTo(1);
        slow.mayEnd.countDown();
        assertThat(next.isDestroyed()).isTrue();
    }
}
