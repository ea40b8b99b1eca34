package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of [CompletionQueue] and [PollCompletions], without events.
public abstract class CompletionQueueContract extends VerbsContract {
    private static final int SLOT = 64;

    /// Whether an overrun is noticed, as the SPI promises. A device whose driver loses completions
    /// without a sign says false.
    protected boolean noticesOverrun() {
        return true;
    }

    @Test
    void isEmptyAtFirst() throws Exception {
        PollCompletions poll = openQueue(4).preparePoll(3);

        assertThat(poll.capacity()).isEqualTo(3);
        assertThat(poll.execute()).isZero();
        assertThatThrownBy(() -> poll.workRequestId(0))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void refusesAPollWithoutCapacity() throws Exception {
        CompletionQueue queue = openQueue(4);

        assertThatThrownBy(() -> queue.preparePoll(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> queue.preparePoll(-1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void closesAnyNumberOfTimes() throws Exception {
        CompletionQueue queue = openQueue(4);

        queue.close();
        queue.close();
    }

    @Test
    void refusesToCloseWhileAQueuePairUsesIt() throws Exception {
        ConnectedPair pair = connect();

        assertThatThrownBy(() -> pair.left().sendQueue().close())
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pair.left().receiveQueue().close())
                .isInstanceOf(IllegalStateException.class);

        pair.left().queuePair().close();
        pair.left().sendQueue().close();
        pair.left().receiveQueue().close();
    }

    @Test
    void refusesNotificationsWithoutAChannel() throws Exception {
        CompletionQueue queue = openQueue(4);

        assertThatThrownBy(() -> queue.requestNotification(false))
                .isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10, 11})
    void reportsInOrderHoweverFewAPollTakes(int pollCapacity) throws Exception {
        ConnectedPair pair = connect();
        exchange(pair, 10);
        PollCompletions poll = pair.right().receiveQueue().preparePoll(pollCapacity);
        List<Long> ids = new ArrayList<>();

        Waiting waiting = new Waiting(patience());
        while (ids.size() < 10) {
            int count = poll.execute();
            assertThat(count).isBetween(0, pollCapacity);
            for (int i = 0; i < count; i++) {
                assertThat(poll.status(i)).isEqualTo(CompletionStatus.SUCCESS);
                assertThat(poll.statusCode(i)).isZero();
                assertThat(poll.queuePairNumber(i)).isEqualTo(pair.right().queuePair().number());
                ids.add(poll.workRequestId(i));
            }
            int taken = count;
            assertThatThrownBy(() -> poll.status(taken))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(waiting.pause()).as("time left, after %s", ids).isTrue();
        }

        assertThat(ids).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(poll.execute()).isZero();
    }

    @Test
    void keepsWhatTwoPollsOfOneQueueTake() throws Exception {
        ConnectedPair pair = connect();
        exchange(pair, 6);
        pair.left().sends().take(6);
        PollCompletions first = pair.right().receiveQueue().preparePoll(2);
        PollCompletions second = pair.right().receiveQueue().preparePoll(1);

        awaitOne(first);
        long firstId = first.workRequestId(0);
        awaitOne(second);

        assertThat(first.workRequestId(0)).as("not overwritten").isEqualTo(firstId);
        assertThat(second.workRequestId(0)).isGreaterThan(firstId);
    }

    @Test
    void reportsSendsAndReceivesOfOneQueue() throws Exception {
        ConnectedPair pair = connect(PairOptions.defaults().withLayout(CompletionLayout.MIXED));
        MemoryRegion left = pair.left().memory(2 * SLOT);
        MemoryRegion right = pair.right().memory(2 * SLOT);
        pair.left().postReceive(1, left, 0, SLOT);
        pair.right().postReceive(2, right, 0, SLOT);

        pair.left().postSend(3, left, SLOT, SLOT);
        pair.right().postSend(4, right, SLOT, SLOT - 1);

        assertThat(pair.left().sends().takeSuccesses(2))
                .extracting(Completion::id, Completion::opcode)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple(1L, CompletionOpcode.RECEIVE),
                        org.assertj.core.groups.Tuple.tuple(3L, CompletionOpcode.SEND));
        assertThat(pair.right().sends().takeSuccesses(2))
                .extracting(Completion::id, Completion::opcode)
                .containsExactlyInAnyOrder(
                        org.assertj.core.groups.Tuple.tuple(2L, CompletionOpcode.RECEIVE),
                        org.assertj.core.groups.Tuple.tuple(4L, CompletionOpcode.SEND));
    }

    @Test
    void isSharedByQueuePairsEachOfWhichKeepsItsOrder() throws Exception {
        ConnectedPair first = connect(PairOptions.ofDepth(16, 16).withCompletionCapacity(256));
        ConnectedPair second = connectBeside(first);
        MemoryRegion source = first.left().memory(SLOT);
        MemoryRegion target = first.right().memory(32 * SLOT);
        int count = 16;
        for (int i = 0; i < count; i++) {
            first.right().postReceive(i, target, (long) i * SLOT, SLOT);
            second.right().postReceive(100 + i, target, (long) (count + i) * SLOT, SLOT);
        }

        for (int i = 0; i < count; i++) {
            second.left().postSend(300 + i, source, 0, i);
            first.left().postSend(200 + i, source, 0, i);
        }

        assertInterleaved(first.right().receives().takeSuccesses(2 * count), 0, first.right());
        assertThat(first.left().sends().takeSuccesses(2 * count))
                .filteredOn(it -> it.queuePairNumber() == second.left().queuePair().number())
                .extracting(Completion::id)
                .containsExactlyElementsOf(ids(300, count));
    }

    private static void assertInterleaved(List<Completion> completions, long from, PairEnd end) {
        int count = completions.size() / 2;
        assertThat(completions)
                .filteredOn(it -> it.queuePairNumber() == end.queuePair().number())
                .extracting(Completion::id)
                .containsExactlyElementsOf(ids(from, count));
        assertThat(completions)
                .filteredOn(it -> it.queuePairNumber() != end.queuePair().number())
                .extracting(Completion::id)
                .containsExactlyElementsOf(ids(from + 100, count));
    }

    private static List<Long> ids(long from, int count) {
        return IntStream.range(0, count).mapToObj(i -> from + i).toList();
    }

    @Test
    void holdsExactlyAsManyCompletionsAsItSays() throws Exception {
        ConnectedPair pair = connect(PairOptions.ofDepth(256, 256).withCompletionCapacity(16));
        int capacity = pair.right().receiveQueue().capacity();
        skipUnless(
                capacity <= pair.right().queuePair().capacity().maxReceives(),
                "the completion queue holds " + capacity + ", more than a queue pair has receives");

        sendUnsignaled(pair, capacity);
        assertThat(pair.left().sends().take(1)).allMatch(Completion::succeeded);

        assertThat(pair.right().receives().takeSuccesses(capacity))
                .extracting(Completion::id)
                .containsExactlyElementsOf(ids(0, capacity));
    }

    @Test
    void anOverrunFailsTheQueueAndPutsItsQueuePairIntoError() throws Exception {
        skipUnless(noticesOverrun(), "the device does not notice overruns of completion queues");
        ConnectedPair pair = connect(PairOptions.ofDepth(256, 256).withCompletionCapacity(16));
        int capacity = pair.right().receiveQueue().capacity();
        skipUnless(
                capacity < pair.right().queuePair().capacity().maxReceives(),
                "the completion queue holds " + capacity + ", more than a queue pair has receives");

        sendUnsignaled(pair, capacity + 1);
        pair.left().sends().take(1); // by now all have arrived, or the last has failed

        PollCompletions poll = pair.right().receiveQueue().preparePoll(capacity);
        assertThatThrownBy(
                        () -> {
                            Waiting waiting = new Waiting(patience());
                            while (poll.execute() >= 0 && waiting.pause()) {}
                        })
                .as("the failure of the queue itself")
                .isInstanceOf(VerbsException.class);
        pair.right().awaitState(QueuePairState.ERROR);
    }

    /// Sends messages of which only the last is signaled, into as many receives.
    private static void sendUnsignaled(ConnectedPair pair, int count) throws Exception {
        MemoryRegion source = pair.left().memory(SLOT);
        MemoryRegion target = pair.right().memory(SLOT);
        for (int i = 0; i < count; i++) {
            pair.right().postReceive(i, target, 0, SLOT);
        }
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, count);
        for (int i = 0; i < count; i++) {
            send.request(i)
                    .workRequestId(i)
                    .flags(i == count - 1 ? SendFlags.SIGNALED : SendFlags.NONE)
                    .scatterGather(0, source, 0, SLOT);
        }
        assertThat(send.execute(0, count)).isEqualTo(count);
    }

    @Test
    void reportsFlushedWorkOfAQueuePairInErrorInOrder() throws Exception {
        ConnectedPair pair = connect();
        pair.right().postReceives(10, pair.right().memory(10 * SLOT), SLOT);

        pair.right().queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));

        List<Completion> flushed = pair.right().receives().take(10);
        assertThat(flushed)
                .extracting(Completion::status)
                .containsOnly(CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
        assertThat(flushed).extracting(Completion::id).containsExactlyElementsOf(ids(0, 10));
        assertThat(flushed)
                .extracting(Completion::queuePairNumber)
                .containsOnly(pair.right().queuePair().number());
    }

    private void awaitOne(PollCompletions poll) throws Exception {
        assertThat(Waiting.until(patience(), () -> poll.execute() > 0)).isTrue();
    }

    private void exchange(ConnectedPair pair, int count) throws Exception {
        pair.right().postReceives(count, pair.right().memory((long) count * SLOT), SLOT);
        MemoryRegion source = pair.left().memory(SLOT);
        for (int i = 0; i < count; i++) {
            pair.left().postSend(i, source, 0, SLOT);
        }
    }

    private CompletionQueue openQueue(int capacity) throws Exception {
        return closing(openContext().createCompletionQueue(capacity, null));
    }
}
