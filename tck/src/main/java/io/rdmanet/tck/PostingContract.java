package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of [PostSend] and [PostReceive]: preparing, changing in place, executing, what is
/// signaled, and how full queues answer.
public abstract class PostingContract extends VerbsContract {
    private static final int SLOT = 64;

    @Test
    void remembersWhatItWasPreparedWith() throws Exception {
        PairEnd end = connect().left();
        SendShape shape = SendShape.of(SendOpcode.SEND);

        PostSend send = end.prepareSend(shape, 5);
        PostReceive receive = end.prepareReceive(1, 6);

        assertThat(send.shape()).isEqualTo(shape);
        assertThat(send.capacity()).isEqualTo(5);
        assertThat(receive.capacity()).isEqualTo(6);
        assertThat(receive.maxScatterGather()).isEqualTo(1);
    }

    @Test
    void refusesShapesBeyondTheQueuePairsCapacity() throws Exception {
        PairEnd end = connect().left();
        int sends = end.queuePair().capacity().maxSendScatterGather() + 1;
        int receives = end.queuePair().capacity().maxReceiveScatterGather() + 1;

        assertMistake(() -> end.prepareSend(new SendShape(SendOpcode.SEND, sends), 1));
        assertMistake(() -> end.prepareReceive(receives, 1));
        assertMistake(() -> end.prepareSend(SendOpcode.SEND, 0));
        assertMistake(() -> end.prepareReceive(1, 0));
    }

    @Test
    void refusesWhatLiesOutside() throws Exception {
        PairEnd end = connect().left();
        MemoryRegion region = end.memory(SLOT);
        PostSend send = end.prepareSend(SendOpcode.SEND, 2);
        PostReceive receive = end.prepareReceive(1, 2);

        assertMistake(() -> send.request(2));
        assertMistake(() -> send.request(-1));
        assertMistake(() -> receive.request(2));
        assertMistake(() -> send.request(0).scatterGather(1, region, 0, 1));
        assertMistake(() -> receive.request(0).scatterGather(1, region, 0, 1));
        for (long[] part : new long[][] {{0, SLOT + 1}, {SLOT, 1}, {-1, 1}, {0, -1}}) {
            int length = (int) part[1];
            assertMistake(() -> send.request(0).scatterGather(0, region, part[0], length));
            assertMistake(() -> receive.request(0).scatterGather(0, region, part[0], length));
        }
        for (int[] run : new int[][] {{0, 3}, {2, 1}, {-1, 1}, {0, 0}, {1, 2}, {0, -1}}) {
            assertMistake(() -> send.execute(run[0], run[1]));
            assertMistake(() -> receive.execute(run[0], run[1]));
        }
        end.sends().assertSilentFor(quiet());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x1_0000_0000L})
    void returnsAnyIdentifier(long id) throws Exception {
        ConnectedPair pair = connect();
        pair.right().postReceive(id, pair.right().memory(SLOT), 0, SLOT);
        pair.left().postSend(id, pair.left().memory(SLOT), 0, SLOT);

        assertThat(pair.right().receives().takeSuccesses(1).getFirst().id()).isEqualTo(id);
        assertThat(pair.left().sends().takeSuccesses(1).getFirst().id()).isEqualTo(id);
    }

    @Test
    void postsTheRunThatWasAskedFor() throws Exception {
        ConnectedPair pair = connect();
        pair.right().postReceives(8, pair.right().memory(8 * SLOT), SLOT);
        PostSend send = prepared(pair.left(), 8, SendFlags.SIGNALED);

        assertThat(send.execute(2, 3)).isEqualTo(3);
        assertThat(ids(pair.left().sends().takeSuccesses(3))).containsExactly(2L, 3L, 4L);
        assertThat(send.execute(7, 1)).isEqualTo(1);
        assertThat(send.execute(0, 2)).isEqualTo(2);

        assertThat(ids(pair.left().sends().takeSuccesses(3))).containsExactly(7L, 0L, 1L);
        assertThat(pair.right().receives().takeSuccesses(6))
                .extracting(Completion::byteLength)
                .containsExactly(2, 3, 4, 7, 0, 1);
    }

    @Test
    void postsRunsOfReceives() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion target = pair.right().memory(8 * SLOT);
        PostReceive receive = pair.right().prepareReceive(1, 8);
        for (int i = 0; i < 8; i++) {
            receive.request(i).workRequestId(i).scatterGather(0, target, (long) i * SLOT, SLOT);
        }

        assertThat(receive.execute(5, 3)).isEqualTo(3);
        assertThat(receive.execute(0, 2)).isEqualTo(2);
        PostSend send = prepared(pair.left(), 5, SendFlags.SIGNALED);
        assertThat(send.execute(0, 5)).isEqualTo(5);

        assertThat(ids(pair.right().receives().takeSuccesses(5)))
                .containsExactly(5L, 6L, 7L, 0L, 1L);
        pair.left().sends().takeSuccesses(5);
    }

    @Test
    void isExecutedAgainWithOneFieldChanged() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(10 * SLOT);
        MemoryRegion target = pair.right().memory(10 * SLOT);
        pair.right().postReceives(10, target, SLOT);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);
        send.request(0).workRequestId(5).flags(SendFlags.SIGNALED);
        for (int i = 0; i < 10; i++) {
            Payload.fill(source.segment(), (long) i * SLOT, SLOT, i);

            send.request(0).scatterGather(0, source, (long) i * SLOT, SLOT);
            assertThat(send.execute(0, 1)).isEqualTo(1);
            assertThat(pair.left().sends().takeSuccesses(1).getFirst().id()).isEqualTo(5);
        }

        pair.right().receives().takeSuccesses(10);
        for (int i = 0; i < 10; i++) {
            Payload.assertHolds(target.segment(), (long) i * SLOT, SLOT, i);
        }
    }

    @Test
    void isExecutedAgainUnchanged() throws Exception {
        ConnectedPair pair = connect();
        pair.right().postReceives(30, pair.right().memory(30 * SLOT), SLOT);
        PostSend send = prepared(pair.left(), 3, SendFlags.SIGNALED);

        for (int i = 0; i < 10; i++) {
            assertThat(send.execute(0, 3)).isEqualTo(3);
            assertThat(ids(pair.left().sends().takeSuccesses(3))).containsExactly(0L, 1L, 2L);
        }
    }

    @Test
    void signalsOnlyWhatIsMarked() throws Exception {
        ConnectedPair pair = connect();
        pair.right().postReceives(9, pair.right().memory(9 * SLOT), SLOT);
        PostSend send = prepared(pair.left(), 9, SendFlags.NONE);
        send.request(3).flags(SendFlags.SIGNALED);
        send.request(8).flags(SendFlags.SIGNALED);

        assertThat(send.execute(0, 9)).isEqualTo(9);

        assertThat(ids(pair.left().sends().takeSuccesses(2))).containsExactly(3L, 8L);
        pair.right().receives().takeSuccesses(9);
        pair.left().sends().assertSilentFor(quiet());
    }

    @Test
    void signalsEverythingIfCreatedSo() throws Exception {
        ConnectedPair pair = connect(PairOptions.defaults().signalingAll());
        pair.right().postReceives(5, pair.right().memory(5 * SLOT), SLOT);

        assertThat(prepared(pair.left(), 5, SendFlags.NONE).execute(0, 5)).isEqualTo(5);

        assertThat(ids(pair.left().sends().takeSuccesses(5))).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8})
    void acceptsFewerThanAskedWhenTheSendQueueIsFull(int depth) throws Exception {
        ConnectedPair pair = connect(PairOptions.ofDepth(depth, depth));
        int capacity = pair.left().queuePair().capacity().maxSends();
        PostSend send = prepared(pair.left(), capacity + 3, SendFlags.SIGNALED);

        assertThat(send.execute(0, capacity + 3)).isEqualTo(capacity);
        assertThat(send.execute(capacity, 3)).isZero();

        MemoryRegion target = pair.right().memory(2 * SLOT);
        pair.right().postReceive(0, target, 0, 2 * SLOT);
        assertThat(ids(pair.left().sends().takeSuccesses(1))).containsExactly(0L);
        pair.right().receives().takeSuccesses(1);
        assertThat(send.execute(capacity, 3)).as("accepted after one completion").isEqualTo(1);
        for (int i = 0; i < capacity; i++) {
            pair.right().postReceive(i, target, 0, 2 * SLOT);
            pair.right().receives().takeSuccesses(1);
        }
        assertThat(ids(pair.left().sends().takeSuccesses(capacity)))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, capacity).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8})
    void roomComesBackWithASignaledCompletionForAllBeforeIt(int depth) throws Exception {
        ConnectedPair pair = connect(PairOptions.ofDepth(depth, 64));
        int capacity = pair.left().queuePair().capacity().maxSends();
        MemoryRegion target = pair.right().memory(2 * SLOT);
        PostSend send = prepared(pair.left(), capacity, SendFlags.NONE);
        send.request(capacity - 1).flags(SendFlags.SIGNALED);
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < capacity; i++) {
                pair.right().postReceive(i, target, 0, 2 * SLOT);
            }

            assertThat(send.execute(0, capacity)).as("round %d", round).isEqualTo(capacity);
            assertThat(send.execute(0, 1)).as("accepted by a full queue").isZero();

            assertThat(ids(pair.left().sends().takeSuccesses(1))).containsExactly(capacity - 1L);
            pair.right().receives().takeSuccesses(capacity);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8})
    void keepsRoomThatWasNotPolled(int depth) throws Exception {
        // Completed but not polled work still fills the queue, or its completions would overrun.
        ConnectedPair pair = connect(PairOptions.ofDepth(depth, 64));
        int capacity = pair.left().queuePair().capacity().maxSends();
        MemoryRegion target = pair.right().memory(2 * SLOT);
        for (int i = 0; i < capacity + 1; i++) {
            pair.right().postReceive(i, target, 0, 2 * SLOT);
        }
        PostSend send = prepared(pair.left(), capacity, SendFlags.SIGNALED);
        assertThat(send.execute(0, capacity)).isEqualTo(capacity);
        pair.right().receives().takeSuccesses(capacity);

        assertThat(send.execute(0, 1)).isZero();

        pair.left().sends().takeSuccesses(capacity);
        assertThat(send.execute(0, 1)).isEqualTo(1);
        pair.left().sends().takeSuccesses(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8})
    void acceptsFewerThanAskedWhenTheReceiveQueueIsFull(int depth) throws Exception {
        ConnectedPair pair = connect(PairOptions.ofDepth(depth, depth));
        int capacity = pair.right().queuePair().capacity().maxReceives();
        MemoryRegion target = pair.right().memory(SLOT);
        PostReceive receive = pair.right().prepareReceive(1, capacity + 2);
        for (int i = 0; i < capacity + 2; i++) {
            receive.request(i).workRequestId(i).scatterGather(0, target, 0, SLOT);
        }

        assertThat(receive.execute(0, capacity + 2)).isEqualTo(capacity);
        assertThat(receive.execute(capacity, 2)).isZero();

        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);
        assertThat(ids(pair.right().receives().takeSuccesses(1))).containsExactly(0L);
        assertThat(receive.execute(capacity, 2)).isEqualTo(1);
        pair.left().sends().takeSuccesses(1);
    }

    @Test
    void refusesToPostInStatesThatDoNotAllowIt() throws Exception {
        assume(
                Capability.QUEUE_PAIR_MODIFY,
                Capability.GID_CHOICE,
                Capability.DEVICE_LIST,
                Capability.DEVICE_CHOICE);
        Context context = openContext();
        Path path = Path.toItself(context);
        PairEnd end =
                closing(
                        new PairEnd(
                                context,
                                PairOptions.defaults(),
                                patience(),
                                ProtectionDomain::createQueuePair));
        PostSend send = prepared(end, 1, SendFlags.SIGNALED);
        PostReceive receive = end.prepareReceive(1, 1);
        receive.request(0).scatterGather(0, end.memory(SLOT), 0, SLOT);

        assertWrongState(() -> send.execute(0, 1), QueuePairState.RESET);
        assertWrongState(() -> receive.execute(0, 1), QueuePairState.RESET);
        end.queuePair().modify(path.toInit(end.fullAccess()));
        assertWrongState(() -> send.execute(0, 1), QueuePairState.INIT);
        assertThat(receive.execute(0, 1)).isEqualTo(1);
        end.queuePair().modify(path.toReadyToReceive(end.queuePair().number(), 1));
        assertWrongState(() -> send.execute(0, 1), QueuePairState.READY_TO_RECEIVE);
        end.queuePair().modify(QueuePairAttributes.toReadyToSend(1));
        assertThat(send.execute(0, 1)).isEqualTo(1);

        end.sends().takeSuccesses(1);
        end.receives().takeSuccesses(1);
    }

    @Test
    void flushesWhatIsPostedInErrorInOrder() throws Exception {
        ConnectedPair pair = connect();
        PairEnd end = pair.left();
        end.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        PostSend send = prepared(end, 5, SendFlags.NONE); // failures are always reported
        PostReceive receive = end.prepareReceive(1, 5);
        MemoryRegion target = end.memory(SLOT);
        for (int i = 0; i < 5; i++) {
            receive.request(i).workRequestId(i).scatterGather(0, target, 0, SLOT);
        }

        assertThat(send.execute(0, 5)).isEqualTo(5);
        assertThat(receive.execute(0, 5)).isEqualTo(5);

        assertFlushed(end.sends().take(5), 5);
        assertFlushed(end.receives().take(5), 5);
        assertThat(end.queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void flushesWhatIsOutstandingWhenItGoesToError() throws Exception {
        ConnectedPair pair = connect();
        PairEnd end = pair.left();
        end.postReceives(5, end.memory(5 * SLOT), SLOT);
        assertThat(prepared(end, 5, SendFlags.NONE).execute(0, 5)).isEqualTo(5);

        end.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));

        assertFlushed(end.sends().take(5), 5);
        assertFlushed(end.receives().take(5), 5);
        end.sends().assertSilentFor(quiet());
    }

    private static void assertFlushed(List<Completion> completions, int count) {
        assertThat(completions)
                .extracting(Completion::status)
                .containsOnly(CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
        assertThat(ids(completions))
                .containsExactlyElementsOf(LongStream.range(0, count).boxed().toList());
    }

    @Test
    void closesBeforeOrAfterItsQueuePairAnyNumberOfTimes() throws Exception {
        ConnectedPair pair = connect();
        CompletionQueue queue = pair.left().sendQueue();
        PostSend before = pair.left().prepareSend(SendOpcode.SEND, 1);
        PostSend after = pair.left().prepareSend(SendOpcode.SEND, 1);
        PostReceive receive = pair.left().prepareReceive(0, 1);

        before.close();
        before.close();
        pair.left().queuePair().close();
        after.close();
        receive.close();
        receive.close();

        assertThat(queue.preparePoll(1).execute()).isZero();
    }

    @Test
    void workGoesOnAfterThePreparedCallIsClosed() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(SLOT);
        MemoryRegion target = pair.right().memory(SLOT);
        Payload.fill(source.segment(), 0, SLOT, 1);
        pair.left().postSend(1, source, 0, SLOT); // closes its call, and waits for a receive

        pair.right().postReceive(2, target, 0, SLOT);

        pair.right().receives().takeSuccesses(1);
        pair.left().sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), 0, SLOT, 1);
    }

    /// Sends of i bytes with the identifier i, i modulo [#SLOT].
    private static PostSend prepared(PairEnd end, int count, int flags) throws Exception {
        PostSend send = end.prepareSend(SendOpcode.SEND, count);
        MemoryRegion source = end.memory(SLOT);
        for (int i = 0; i < count; i++) {
            send.request(i).workRequestId(i).flags(flags).scatterGather(0, source, 0, i % SLOT);
        }
        return send;
    }

    private static List<Long> ids(List<Completion> completions) {
        return completions.stream().map(Completion::id).toList();
    }

    private static void assertMistake(ThrowingCallable attempt) {
        assertThatThrownBy(attempt)
                .isInstanceOfAny(IllegalArgumentException.class, IndexOutOfBoundsException.class);
    }

    private static void assertWrongState(ThrowingCallable attempt, QueuePairState state) {
        assertThatThrownBy(attempt)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(state.name());
    }
}
