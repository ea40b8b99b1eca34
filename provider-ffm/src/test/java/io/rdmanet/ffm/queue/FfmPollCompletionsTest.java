package io.rdmanet.ffm.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.ffm.c.SendWorkRequestDescriptor;
import io.rdmanet.internal.provider.AccountTable;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.VerbsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Polling a driver that hands out what a test has put in.
class FfmPollCompletionsTest implements WorkQueue.Owner {
    private static final long QUEUE = 1;
    private static final int FLUSHED = CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code();

    private final AccountTable<WorkQueueAccount> accounts = new AccountTable<>();
    private final CompletionStash stash = new CompletionStash();
    private int failures;

    @TempDir Path directory;
    private FakeDriver driver;
    private OrderedAccount sends;
    private OrderedAccount receives;
    private PolledQueue queue;
    private FfmPollCompletions poll;

    @BeforeEach
    void open() throws Exception {
        driver = FakeDriver.load(directory);
        sends = accountOf(100);
        receives = accountOf(200);
        queue = new PolledQueue(driver.poll(), QUEUE, "completion queue of 16", stash);
        poll = new FfmPollCompletions(queue, accounts, 4);
    }

    /// An account of 8 requests, all of them outstanding.
    private OrderedAccount accountOf(long firstIdentifier) throws Exception {
        OrderedAccount account = new OrderedAccount(this, 8);
        accounts.add(account);
        try (RequestChain chain =
                new RequestChain(account, 8, 0, SendWorkRequestDescriptor.SIZE, 0)) {
            for (int i = 0; i < 8; i++) {
                chain.identifiers()[i] = firstIdentifier + i;
            }
            account.begin(chain, 0, 8);
        }
        return account;
    }

    @AfterEach
    void close() {
        if (driver != null) {
            driver.close();
        }
    }

    @Override
    public QueuePairState queryState() {
        return QueuePairState.READY_TO_SEND;
    }

    @Override
    public void flush() {}

    @Override
    public void onFailedCompletion() {
        failures++;
    }

    private void complete(WorkQueueAccount account, long position, int status) {
        driver.complete(((long) account.number() << 32) | position, status);
    }

    private List<Long> identifiers(int count) {
        List<Long> identifiers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            identifiers.add(poll.workRequestId(i));
        }
        return identifiers;
    }

    @Test
    void givesTheUsersIdentifiersAndTellsTheAccounts() throws Exception {
        complete(sends, 0, 0);
        complete(receives, 0, 0);
        complete(sends, 2, 0);

        assertThat(poll.execute()).isEqualTo(3);

        assertThat(identifiers(3)).containsExactly(100L, 200L, 102L);
        assertThat(sends.outstanding()).isEqualTo(5);
        assertThat(receives.outstanding()).isEqualTo(7);
        assertThat(queue.guard().tryClose()).as("nobody is inside").isTrue();
        assertThatThrownBy(() -> poll.status(3)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void findsNothingForAQueueThatIsNoMoreWhereItWasTheOnlyOne() throws Exception {
        complete(receives, 0, 0);
        accounts.remove(receives);

        assertThat(poll.execute()).isZero();
    }

    @Test
    void refusesToPollWhatIsClosedOrWasOverrun() {
        queue.fail();
        assertThatThrownBy(() -> poll.execute())
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("poll_cq")
                .hasMessageContaining("completion queue of 16 was overrun");

        assertThat(queue.guard().tryClose()).as("nobody is inside").isTrue();
        assertThatThrownBy(() -> poll.execute())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("completion queue of 16 is closed");
    }

    @Test
    void takesNoMoreThanItsCapacity() throws Exception {
        for (int i = 0; i < 6; i++) {
            complete(sends, i, 0);
        }

        assertThat(poll.execute()).isEqualTo(4);
        assertThat(poll.execute()).isEqualTo(2);
        assertThat(identifiers(2)).containsExactly(104L, 105L);
        assertThat(poll.execute()).isZero();
    }

    @Test
    void leavesOutCompletionsOfQueuesThatAreNoMore() throws Exception {
        complete(receives, 0, 0);
        complete(sends, 0, 0);
        complete(receives, 1, FLUSHED);
        complete(sends, 1, FLUSHED);
        accounts.remove(receives);

        assertThat(poll.execute()).isEqualTo(2);

        assertThat(identifiers(2)).containsExactly(100L, 101L);
        assertThat(sends.outstanding()).isEqualTo(6);
        assertThat(poll.status(0)).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(poll.status(1)).isEqualTo(CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
    }

    @Test
    void freesRoomUpToTheLastOfThePollAlsoIfAnOldOneComesBehindIt() throws Exception {
        complete(sends, 1, 0);
        complete(sends, 5, 0);
        complete(sends, 1, 0);

        assertThat(poll.execute()).isEqualTo(3);

        assertThat(sends.outstanding()).isEqualTo(2);
    }

    @Test
    void looksBehindCompletionsOfQueuesThatAreNoMore() throws Exception {
        for (int i = 0; i < 5; i++) {
            complete(receives, i, 0);
        }
        complete(sends, 0, 0);
        accounts.remove(receives);

        assertThat(poll.execute()).as("not 0, which would mean that all is read").isEqualTo(1);
        assertThat(identifiers(1)).containsExactly(100L);
    }

    @Test
    void tellsTheOwnerOfFailures() throws Exception {
        complete(sends, 0, 0);
        complete(sends, 1, FLUSHED);

        poll.execute();

        assertThat(failures).isEqualTo(1);
    }

    @Test
    void givesBackSharedReceivesOfAQueuePairThatIsDestroyed() throws Exception {
        for (int i = 0; i < 5; i++) {
            complete(sends, i, 0); // on queue pair 0, like all that the driver hands out
        }
        complete(receives, 0, 0);
        complete(receives, 1, FLUSHED);

        stash.drain(driver.poll(), QUEUE);
        stash.giveBack(1, receives);
        assertThat(receives.outstanding()).as("of another queue pair").isEqualTo(8);
        stash.giveBack(0, receives);

        assertThat(receives.outstanding()).isEqualTo(6);
        complete(sends, 5, 0);
        assertThat(poll.execute()).isEqualTo(4);
        assertThat(identifiers(4)).containsExactly(100L, 101L, 102L, 103L);
        assertThat(poll.execute()).isEqualTo(1);
        assertThat(identifiers(1)).containsExactly(104L);
        assertThat(poll.execute()).isEqualTo(1);
        assertThat(identifiers(1)).containsExactly(105L);
        assertThat(stash.isEmpty()).isTrue();
    }

    @Test
    void keepsAnyNumberOfCompletionsForLater() throws Exception {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 500; i++) {
                driver.complete(((long) sends.number() << 32) | i % 8, 0);
            }
            stash.drain(driver.poll(), QUEUE);
        }
        int found = 0;
        int count;
        while ((count = poll.execute()) > 0) {
            for (int i = 0; i < count; i++) {
                assertThat(poll.workRequestId(i)).isEqualTo(100L + (found + i) % 500 % 8);
            }
            found += count;
        }
        assertThat(found).isEqualTo(1500);
    }

    /// Queue pairs that come and go, while polling lags behind by a few.
    @Test
    void keepsItsMemoryWhileAsManyAreTakenAsAreStashed() throws Exception {
        long expected = 0;
        long stashed = 0;
        int capacity = 0;
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < 20; i++) {
                driver.complete(((long) sends.number() << 32) | stashed++ % 8, 0);
            }
            stash.drain(driver.poll(), QUEUE);
            capacity = round == 0 ? stash.capacity() : capacity;
            while (stashed - expected > 8) {
                int count = poll.execute();
                for (int i = 0; i < count; i++) {
                    assertThat(poll.workRequestId(i)).isEqualTo(100L + expected++ % 8);
                }
            }
        }
        assertThat(stash.isEmpty()).as("lags behind").isFalse();
        assertThat(stash.capacity()).isEqualTo(capacity);
    }
}
