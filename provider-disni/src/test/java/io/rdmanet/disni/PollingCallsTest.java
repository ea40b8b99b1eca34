package io.rdmanet.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.ArgumentMatchers.intThat;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

/// Polling, and waiting for something to poll.
class PollingCallsTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(20);
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(100);

    private final MockedDisni disni;
    private final SVCPollCq call = mock(SVCPollCq.class);
    private MockedDisni.Connection connection;
    private IbvWC[] completions = {};

    PollingCallsTest() throws Exception {
        disni = new MockedDisni();
    }

    @BeforeEach
    void connect() throws Exception {
        when(disni.verbs.pollCQ(any(), any(), anyInt()))
                .thenAnswer(polled -> {
                    completions = polled.getArgument(1);
                    return call;
                });
        connection = disni.connected(QueuePairCapacity.of(8, 8));
    }

    private PostSend post(int count) throws Exception {
        PostSend send =
                connection.queuePair().preparePostSend(SendShape.of(SendOpcode.SEND), count);
        for (int i = 0; i < count; i++) {
            send.request(i).workRequestId(100L + i);
        }
        assertThat(send.execute(0, count)).isEqualTo(count);
        return send;
    }

    /// What the device called a send: of the first account of its device.
    private static long sent(int position) {
        return position;
    }

    private static void fill(IbvWC completion, long id, int status) {
        completion.setWr_id(id);
        completion.setStatus(status);
        completion.setOpcode(0);
    }

    @Test
    void copiesCompletionsBeforeDisniUsesThemAgain() throws Exception {
        post(2);
        PollCompletions poll = connection.queue().preparePoll(4);
        fill(completions[0], sent(0), 0);
        completions[0].setByte_len(77);
        when(call.getPolls()).thenReturn(1);

        assertThat(poll.execute()).isEqualTo(1);
        fill(completions[0], sent(1), 12);
        completions[0].setByte_len(1);

        assertThat(poll.workRequestId(0)).isEqualTo(100);
        assertThat(poll.status(0)).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(poll.opcode(0)).isEqualTo(CompletionOpcode.SEND);
        assertThat(poll.byteLength(0)).isEqualTo(77);
        assertThat(poll.queuePairNumber(0)).isEqualTo(MockedDisni.QUEUE_PAIR);
        assertThatThrownBy(() -> poll.status(1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void leavesOutWhatDisniLeftFromAnEarlierCompletion() throws Exception {
        post(1);
        PollCompletions poll = connection.queue().preparePoll(4);
        fill(completions[0], sent(0), 12);
        completions[0].setQp_num(0xbad);
        completions[0].setVendor_err(0xbad);
        completions[0].setByte_len(0xbad);
        completions[0].setWc_flags(3);
        when(call.getPolls()).thenReturn(1);

        assertThat(poll.execute()).isEqualTo(1);

        assertThat(poll.status(0)).isEqualTo(CompletionStatus.RETRY_EXCEEDED_ERROR);
        assertThat(poll.queuePairNumber(0)).isEqualTo(MockedDisni.QUEUE_PAIR);
        assertThat(poll.vendorError(0)).isZero();
        assertThat(poll.byteLength(0)).isZero();
        assertThat(poll.hasImmediate(0)).isFalse();
    }

    @Test
    void aFailedCompletionTellsTheState() throws Exception {
        post(1);
        PollCompletions poll = connection.queue().preparePoll(4);
        fill(completions[0], sent(0), 5);
        when(call.getPolls()).thenReturn(1);

        assertThat(poll.execute()).isEqualTo(1);

        assertThat(connection.queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void takesStatusesItDoesNotKnow() throws Exception {
        post(1);
        PollCompletions poll = connection.queue().preparePoll(4);
        fill(completions[0], sent(0), 99);
        completions[0].setOpcode(99);
        when(call.getPolls()).thenReturn(1);

        assertThat(poll.execute()).isEqualTo(1);

        assertThat(poll.status(0)).isEqualTo(CompletionStatus.UNKNOWN);
        assertThat(poll.statusCode(0)).isEqualTo(99);
        assertThat(poll.opcode(0)).isEqualTo(CompletionOpcode.UNKNOWN);
    }

    @Test
    void leavesOutCompletionsOfQueuePairsThatAreNoMore() throws Exception {
        post(1);
        PollCompletions poll = connection.queue().preparePoll(4);
        fill(completions[0], sent(0), 0);
        when(call.getPolls()).thenReturn(1, 0);
        connection.queuePair().close();

        assertThat(poll.execute()).isZero();

        verify(call, times(2)).execute();
    }

    @Test
    void saysThatTheQueueFailed() throws Exception {
        PollCompletions poll = connection.queue().preparePoll(4);
        when(call.execute()).thenThrow(new IOException("Polling CQ failed"));

        assertThatThrownBy(poll::execute)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("Polling CQ failed");
    }

    // ---- waiting

    @Test
    void acknowledgesEachEventBeforeAnybodyLearnsOfIt() throws Exception {
        Context context = connection.identifier().context();
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue queue = context.createCompletionQueue(8, channel);
        when(disni.verbs.getCqEvent(any(), any(), anyInt())).thenReturn(false, true);

        queue.requestNotification(false);

        assertThat(channel.awaitEvent(LONG)).isSameAs(queue);
        InOrder order = inOrder(disni.verbs);
        order.verify(disni.verbs, times(2)).getCqEvent(any(), any(), anyInt());
        order.verify(disni.verbs).ackCqEvents(any(), eq(1));
        queue.close();
        channel.close();
        order.verify(disni.verbs).destroyCQ(any());
        order.verify(disni.verbs).destroyCompChannel(any());
    }

    @Test
    void waitsForEventsNoLongerThanItIsTold() throws Exception {
        Context context = connection.identifier().context();
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue queue = context.createCompletionQueue(8, channel);

        assertThat(channel.awaitEvent(0)).isNull();
        assertThat(channel.awaitEvent(SHORT)).isNull();
        verify(disni.verbs, never()).getCqEvent(any(), any(), anyInt());
        queue.requestNotification(true);

        assertThat(channel.awaitEvent(SHORT)).isNull();
    }

    @Test
    void aVirtualThreadDoesNotWaitInsideDisniWhereItWouldKeepItsCarrier() throws Exception {
        Context context = connection.identifier().context();
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue queue = context.createCompletionQueue(8, channel);
        when(disni.verbs.getCqEvent(any(), any(), anyInt())).thenReturn(false, false, true);
        queue.requestNotification(false);
        FutureTask<CompletionQueue> waiting = new FutureTask<>(() -> channel.awaitEvent(LONG));

        Thread.ofVirtual().start(waiting);

        assertThat(waiting.get(LONG, TimeUnit.NANOSECONDS)).isSameAs(queue);
        verify(disni.verbs, times(3)).getCqEvent(any(), any(), eq(0));
        verify(disni.verbs, never()).getCqEvent(any(), any(), intThat(millis -> millis != 0));
    }

    @Test
    void aWakeUpEndsTheNextWait() throws Exception {
        CompletionChannel channel = connection.identifier().context().createCompletionChannel();

        channel.wakeUp();

        assertThat(channel.awaitEvent(LONG)).isNull();
        assertThat(channel.awaitEvent(0)).isNull();
    }
}
