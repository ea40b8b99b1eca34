package io.rdmanet.ffm.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.ffm.c.ScatterGatherDescriptor;
import io.rdmanet.ffm.c.SendWorkRequestDescriptor;
import io.rdmanet.internal.provider.AccountTable;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.QueuePairState;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Posting to a driver that notes what it gets.
class WorkQueueTest implements WorkQueue.Owner {
    private static final int CAPACITY = 5;

    private final AccountTable<WorkQueueAccount> accounts = new AccountTable<>();
    private final OrderedAccount account = new OrderedAccount(this, CAPACITY);
    private final NamedResource region = new NamedResource();
    private final NamedResource other = new NamedResource();
    private QueuePairState realState = QueuePairState.READY_TO_SEND;
    private int postedInError;
    private boolean isClosingInFlush;

    @TempDir Path directory;
    private FakeDriver driver;
    private WorkQueue queue;
    private RequestChain chain;

    @BeforeEach
    void open() throws Exception {
        driver = FakeDriver.load(directory);
        accounts.add(account);
        queue =
                WorkQueue.ofSends(
                        driver.post(),
                        driver.queuePair(QueuePairState.READY_TO_SEND),
                        this,
                        account);
        chain = new RequestChain(account, 8, 2, SendWorkRequestDescriptor.SIZE, 0);
        for (int i = 0; i < 8; i++) {
            chain.identifiers()[i] = 100L + i;
            chain.scatterGather(i, 0, region, 1000L + i, 10 + i, 7);
        }
    }

    @AfterEach
    void close() {
        if (driver != null) {
            chain.close();
            driver.close();
        }
    }

    @Override
    public QueuePairState queryState() {
        driver.queuePair(realState);
        return realState;
    }

    @Override
    public void flush() {
        postedInError++;
        if (isClosingInFlush) {
            chain.close();
        }
    }

    @Override
    public void onFailedCompletion() {}

    private static long complete(WorkQueueAccount account, int position) {
        long identifier = account.complete(position);
        account.freeThrough(position);
        return identifier;
    }

    private long identifier(long position) {
        return ((long) account.number() << 32) | position;
    }

    private List<Long> identifiers(long from, long count) {
        return LongStream.range(from, from + count).map(this::identifier).boxed().toList();
    }

    @Test
    void postsARunAsOneChainWithConsecutivePositions() throws Exception {
        assertThat(queue.post(chain, 2, 3)).isEqualTo(3);

        assertThat(driver.identifiers()).isEqualTo(identifiers(0, 3));
        assertThat(driver.element(0, 0)).containsExactly(1002L, 12L, 7L);
        assertThat(driver.element(2, 0)).containsExactly(1004L, 14L, 7L);
        assertThat(complete(account, 2)).isEqualTo(104);
    }

    @Test
    void endsEachChainAtTheEndOfItsRun() throws Exception {
        int[][] runs = {{0, 1}, {0, 4}, {0, 1}, {1, 3}, {6, 2}, {5, 2}, {7, 1}, {3, 5}, {0, 5}};
        int posted = 0;
        for (int[] run : runs) {
            assertThat(queue.post(chain, run[0], run[1])).isEqualTo(run[1]);
            posted += run[1];
            assertThat(driver.notedCount()).as("after %s", Arrays.toString(run)).isEqualTo(posted);
            complete(account, posted - 1);
        }
        assertThat(driver.identifiers()).isEqualTo(identifiers(0, posted));
    }

    @Test
    void acceptsFewerThanAskedWhenTheQueueIsFullAndMoreAfterACompletion() throws Exception {
        assertThat(queue.post(chain, 0, 8)).isEqualTo(CAPACITY);
        assertThat(queue.post(chain, 0, 1)).isZero();

        assertThat(complete(account, 1)).isEqualTo(101); // and the one before it
        assertThat(queue.post(chain, 5, 3)).isEqualTo(2);

        assertThat(driver.identifiers()).isEqualTo(identifiers(0, 7));
        assertThat(complete(account, 6)).isEqualTo(106);
        assertThat(account.outstanding()).isZero();
    }

    @Test
    void goesOnBeyondTwoToThePowerOf32Positions() throws Exception {
        long start = 0xffff_fffeL;
        OrderedAccount late = new OrderedAccount(this, CAPACITY, start);
        accounts.add(late);
        queue.account(late);

        assertThat(queue.post(chain, 0, 4)).isEqualTo(4);

        long high = (long) late.number() << 32;
        assertThat(driver.identifiers())
                .containsExactly(high | 0xffff_fffeL, high | 0xffff_ffffL, high, high | 1);
        assertThat(complete(late, -2)).isEqualTo(100);
        assertThat(late.outstanding()).isEqualTo(3);
        assertThat(complete(late, 1)).isEqualTo(103);
        assertThat(late.outstanding()).isZero();
        region.close("dereg_mr");
    }

    @Test
    void ignoresACompletionOfLongAgo() throws Exception {
        queue.post(chain, 0, 3);
        complete(account, 1);

        complete(account, 0);

        assertThat(account.outstanding()).isEqualTo(1);
    }

    @Test
    void takesTheDevicesOwnLimitForAFullQueue() throws Exception {
        driver.room(3);
        driver.error(-ErrorNumber.ENOMEM); // some drivers answer so

        assertThat(queue.post(chain, 0, 4)).isEqualTo(3);
        assertThat(queue.post(chain, 3, 2)).isZero();

        assertThat(complete(account, 2)).isEqualTo(102);
        driver.room(1);
        assertThat(queue.post(chain, 3, 1)).isEqualTo(1);
        assertThat(driver.identifiers()).isEqualTo(identifiers(0, 4));
    }

    @Test
    void reportsARefusedRequestWithTheNumberOfThoseBeforeIt() {
        driver.room(2);
        driver.error(ErrorNumber.EINVAL);

        assertThatThrownBy(() -> queue.post(chain, 1, 4))
                .isInstanceOfSatisfying(
                        PostException.class,
                        e -> {
                            assertThat(e.acceptedCount()).isEqualTo(2);
                            assertThat(e.errno()).isEqualTo(ErrorNumber.EINVAL);
                        })
                .hasMessageContaining("post_send")
                .hasMessageContaining(toString());
        assertThat(account.outstanding()).isEqualTo(2);
    }

    @Test
    void failsWhenAnEmptyQueueHasNoRoom() {
        driver.room(0);

        assertThatThrownBy(() -> queue.post(chain, 0, 1))
                .isInstanceOf(PostException.class)
                .hasMessageContaining("ENOMEM");
        assertThat(account.outstanding()).isZero();
    }

    @Test
    void countsAllAsAcceptedWhenTheDriverNamesNoRequest() {
        driver.room(2);
        driver.error(ErrorNumber.EIO);
        driver.namesNoBadRequest();

        assertThatThrownBy(() -> queue.post(chain, 0, 3))
                .isInstanceOfSatisfying(
                        PostException.class, e -> assertThat(e.acceptedCount()).isEqualTo(3));
    }

    @Test
    void refusesInStatesThatDoNotAllowIt() {
        driver.queuePair(QueuePairState.INIT);

        assertThatThrownBy(() -> queue.post(chain, 0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("INIT")
                .hasMessageContaining("READY_TO_SEND");
        assertThat(driver.notedCount()).isZero();
    }

    @Test
    void hasWhatIsPostedInTheErrorStateFlushed() throws Exception {
        queue.post(chain, 0, 1);
        assertThat(postedInError).isZero();
        driver.queuePair(QueuePairState.ERROR);

        assertThat(queue.post(chain, 0, 1)).isEqualTo(1);

        assertThat(postedInError).isEqualTo(1);
    }

    @Test
    void namesTheRealStateWhenTheDeviceRefuses() {
        driver.room(0);
        driver.error(ErrorNumber.EINVAL);
        realState = QueuePairState.RESET;

        assertThatThrownBy(() -> queue.post(chain, 0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("RESET");
    }

    @Test
    void refusesAfterItWasClosed() {
        assertThat(queue.guard().tryClose()).isTrue();

        assertThatThrownBy(() -> queue.post(chain, 0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(driver.notedCount()).isZero();
    }

    /// Closing does not wait for a thread that posts on another's behalf, so it must not pull the
    /// memory away under it: this would be what the driver reads.
    @Test
    void goesOnFromItsOwnMemoryWhenItIsClosedInTheMiddleOfAPost() throws Exception {
        int bytes = 8 * (SendWorkRequestDescriptor.SIZE + 2 * ScatterGatherDescriptor.SIZE);
        driver.queuePair(QueuePairState.ERROR);
        isClosingInFlush = true;

        queue.post(chain, 0, 2);

        try (Arena arena = Arena.ofShared()) {
            for (int i = 0; i < 100; i++) {
                arena.allocate(bytes, 64).fill((byte) -1); // takes whatever was freed
            }
            assertThatThrownBy(() -> chain.requireRun("post_send", 2, 2))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            assertThatThrownBy(() -> chain.setInt(2, SendWorkRequestDescriptor.FLAGS, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            assertThat(queue.post(chain, 2, 2)).as("whoever was past the checks").isEqualTo(2);
        }
        assertThat(driver.identifiers()).isEqualTo(identifiers(0, 4));
        assertThat(driver.element(3, 0)).containsExactly(1003L, 13L, 7L);
    }

    @Test
    void leavesEmptyElementsOut() throws Exception {
        chain.scatterGather(0, 0, region, 1, 0, 7);
        chain.scatterGather(0, 1, other, 2, 20, 8);
        chain.scatterGather(1, 1, other, 3, 30, 8);
        chain.scatterGather(2, 0, region, 4, 0, 7);

        queue.post(chain, 0, 3);

        assertThat(driver.elementCount(0)).isEqualTo(1);
        assertThat(driver.element(0, 0)).containsExactly(2L, 20L, 8L);
        assertThat(driver.elementCount(1)).isEqualTo(2);
        assertThat(driver.element(1, 0)).containsExactly(1001L, 11L, 7L);
        assertThat(driver.element(1, 1)).containsExactly(3L, 30L, 8L);
        assertThat(driver.elementCount(2)).isZero();
    }

    @Test
    void putsElementsBackInOrder() throws Exception {
        chain.scatterGather(0, 1, other, 2, 20, 8);
        chain.scatterGather(0, 0, region, 1, 0, 7);
        chain.scatterGather(0, 0, region, 5, 50, 7);

        queue.post(chain, 0, 1);

        assertThat(driver.element(0, 0)).containsExactly(5L, 50L, 7L);
        assertThat(driver.element(0, 1)).containsExactly(2L, 20L, 8L);
    }

    @Test
    void keepsWhatIsOutstandingFromBeingClosed() throws Exception {
        chain.scatterGather(3, 0, other, 1, 1, 1);
        queue.post(chain, 0, 3);

        assertThatThrownBy(() -> region.close("dereg_mr"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("outstanding")
                .hasMessageContaining(toString());
        other.close("dereg_mr"); // request 3 was not posted
        assertThatThrownBy(() -> queue.post(chain, 3, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");

        assertThat(queue.post(chain, 0, 1)).as("still open").isEqualTo(1);
        complete(account, 3);
        region.close("dereg_mr");
        assertThatThrownBy(() -> queue.post(chain, 0, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(driver.notedCount()).isEqualTo(4);
        assertThat(account.outstanding()).isZero();
    }

    /// The most usual chain: all of it is in one region.
    @Test
    void keepsTheOneRegionOfAChainFromBeingClosedUntilTheLastHasCompleted() throws Exception {
        RequestChain single = chainOfOneRegion(3);
        queue.post(single, 0, 3);
        complete(account, 1);

        assertThatThrownBy(() -> region.close("dereg_mr"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("outstanding");
        single.scatterGather(1, 0, other, 1, 1, 8);
        queue.post(single, 1, 1);
        complete(account, 2);
        assertThatThrownBy(() -> other.close("dereg_mr"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("outstanding");
        region.close("dereg_mr");

        assertThatThrownBy(() -> queue.post(single, 0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(queue.post(single, 1, 1)).as("is in the other").isEqualTo(1);
    }

    /// As when Java's access to the memory cannot be ended yet: chains go on with what they know.
    @Test
    void keepsWhatIsOutstandingFromBeingClosedAfterACloseThatCameToNothing() throws Exception {
        queue.post(chain, 0, 1);
        complete(account, 0);
        region.close("dereg_mr");
        region.reopen();

        queue.post(chain, 0, 1);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> region.close("dereg_mr"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("outstanding");
            assertThat(region.isClosed()).isFalse();
        }
        complete(account, 1);
        region.close("dereg_mr");
    }

    @Test
    void freesWhatTheDeviceDidNotAccept() {
        driver.room(0);
        driver.error(ErrorNumber.EINVAL);
        assertThatThrownBy(() -> queue.post(chain, 0, 2)).isInstanceOf(PostException.class);

        region.close("dereg_mr");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void forgetsWhatWasOutstandingBeforeAReset(boolean isAllOfOneRegion) throws Exception {
        RequestChain posted = isAllOfOneRegion ? chainOfOneRegion(8) : chain;
        for (int i = 0; i < 8; i++) {
            posted.identifiers()[i] = 100L + i;
        }
        queue.post(posted, 0, CAPACITY);
        OrderedAccount fresh = new OrderedAccount(this, CAPACITY);
        accounts.remove(account);
        accounts.add(fresh);
        queue.account(fresh);

        region.close("dereg_mr");
        region.reopen();
        assertThat(queue.post(posted, 0, CAPACITY)).isEqualTo(CAPACITY);
        assertThatThrownBy(() -> region.close("dereg_mr"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(complete(fresh, CAPACITY - 1)).isEqualTo(100L + CAPACITY - 1);
        region.close("dereg_mr");
    }

    private RequestChain chainOfOneRegion(int capacity) {
        RequestChain single =
                new RequestChain(account, capacity, 1, SendWorkRequestDescriptor.SIZE, 0);
        for (int i = 0; i < capacity; i++) {
            single.scatterGather(i, 0, region, 1000L + i, 10, 7);
        }
        return single;
    }

    @Override
    public String toString() {
        return "queue pair 0x1a";
    }
}
