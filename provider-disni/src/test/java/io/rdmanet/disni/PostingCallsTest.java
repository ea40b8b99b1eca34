package io.rdmanet.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;
import org.mockito.stubbing.Answer;

/// Posting: which of DiSNI's prepared calls are made, changed and executed.
class PostingCallsTest {
    private static final int DEPTH = 16;
    private static final long SEED = 1;

    private final MockedDisni disni;
    private final List<SVCPostSend> sends = new ArrayList<>();
    private final List<Integer> sendLengths = new ArrayList<>();
    private final List<SVCPostRecv> receives = new ArrayList<>();
    private final List<Integer> receiveLengths = new ArrayList<>();
    private MockedDisni.Connection connection;
    private MemoryRegion region;

    PostingCallsTest() throws Exception {
        disni = new MockedDisni();
    }

    @BeforeEach
    void connect() throws Exception {
        answerSends(call -> {
            SVCPostSend made = mock(SVCPostSend.class, RETURNS_DEEP_STUBS);
            sends.add(made);
            sendLengths.add(call.<List<?>>getArgument(1).size());
            return made;
        });
        answerReceives(call -> {
            SVCPostRecv made = mock(SVCPostRecv.class);
            receives.add(made);
            receiveLengths.add(call.<List<?>>getArgument(1).size());
            return made;
        });
        connection = disni.connected(QueuePairCapacity.of(DEPTH, DEPTH));
        region = connection.domain().allocate(4096, Set.of(AccessFlag.LOCAL_WRITE));
    }

    private void answerSends(Answer<SVCPostSend> answer) throws IOException {
        doAnswer(answer).when(disni.verbs).postSend(any(), any(), any());
    }

    private void answerReceives(Answer<SVCPostRecv> answer) throws IOException {
        doAnswer(answer).when(disni.verbs).postRecv(any(), any(), any());
    }

    private PostSend prepared(int capacity) throws Exception {
        PostSend send =
                connection.queuePair().preparePostSend(SendShape.of(SendOpcode.SEND), capacity);
        for (int i = 0; i < capacity; i++) {
            send.request(i).workRequestId(i).scatterGather(0, region, 64L * i, 64);
        }
        return send;
    }

    @Test
    void composesARunOfAlignedChains() throws Exception {
        PostSend send = prepared(16);

        assertThat(send.execute(3, 10)).isEqualTo(10);

        assertThat(sendLengths).containsExactly(1, 4, 4, 1);
        for (SVCPostSend each : sends) {
            verify(each).execute();
        }
    }

    @Test
    void executesThePreparedCallAgain() throws Exception {
        PostSend send = prepared(8);

        assertThat(send.execute(0, 8)).isEqualTo(8);
        assertThat(send.execute(0, 8)).isEqualTo(8);

        assertThat(sendLengths).containsExactly(8);
        verify(sends.getFirst(), times(2)).execute();
        verify(sends.getFirst(), never()).free();
    }

    @Test
    void changesInPlaceOnlyWhatHasChanged() throws Exception {
        PostSend send = prepared(2);
        assertThat(send.execute(0, 2)).isEqualTo(2);
        SVCPostSend call = sends.getFirst();
        SVCPostSend.SendWRMod first = call.getWrMod(0);
        SVCPostSend.SendWRMod second = call.getWrMod(1);
        SVCPostSend.SgeMod element = second.getSgeMod(0);
        clearInvocations(first, second, element);

        send.request(1).flags(SendFlags.SIGNALED).scatterGather(0, region, 128, 7);
        assertThat(send.execute(0, 2)).isEqualTo(2);

        verify(first, never()).setSend_flags(anyInt());
        verify(second).setSend_flags(SendFlags.SIGNALED);
        verify(element).setAddr(region.address() + 128);
        verify(element).setLength(7);
        assertThat(sendLengths).hasSize(1);
    }

    @Test
    void preparesAfreshWhatDisniHasFrozen() throws Exception {
        PostSend send = prepared(2);
        assertThat(send.execute(0, 2)).isEqualTo(2);

        send.request(1).scatterGather(0, region, 0, 0);
        assertThat(send.execute(0, 2)).isEqualTo(2);

        assertThat(sendLengths).containsExactly(2, 2);
        verify(sends.get(0)).free();
        verify(sends.get(1), never()).free();
    }

    @Test
    void givesImmediateDataInNetworkOrder() throws Exception {
        List<IbvSendWR> seen = new ArrayList<>();
        answerSends(call -> {
            seen.addAll(call.<List<IbvSendWR>>getArgument(1));
            return mock(SVCPostSend.class, RETURNS_DEEP_STUBS);
        });
        PostSend send =
                connection
                        .queuePair()
                        .preparePostSend(SendShape.of(SendOpcode.SEND_WITH_IMMEDIATE), 1);
        send.request(0).immediate(0x01020304);

        assertThat(send.execute(0, 1)).isEqualTo(1);

        IbvSendWR work = seen.getFirst();
        assertThat(work.getImm_data())
                .isIn(0x04030201, 0x01020304) // which one is this machine's order
                .isEqualTo(
                        java.nio.ByteBuffer.wrap(new byte[] {1, 2, 3, 4})
                                .order(java.nio.ByteOrder.nativeOrder())
                                .getInt());
        assertThat(work.getNum_sge()).isZero();
    }

    @Test
    void frees() throws Exception {
        PostSend send = prepared(3);
        assertThat(send.execute(0, 3)).isEqualTo(3);

        send.close();
        send.close();

        assertThat(sends).hasSize(2);
        for (SVCPostSend each : sends) {
            verify(each).free();
        }
        assertThatThrownBy(() -> send.execute(0, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void freesNothingThatIsJustBeingPosted() throws Exception {
        PostSend send = prepared(1);
        send.execute(0, 1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leaving = new CountDownLatch(1);
        when(sends.getFirst().execute())
                .thenAnswer(call -> {
                    inside.countDown();
                    assertThat(leaving.await(30, TimeUnit.SECONDS)).isTrue();
                    return call.getMock();
                });
        FutureTask<Integer> posting = new FutureTask<>(() -> send.execute(0, 1));
        Thread.ofPlatform().daemon().start(posting);
        assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();
        Thread closing = Thread.ofPlatform().daemon().start(send::close);
        Thread.sleep(100);
        verify(sends.getFirst(), never()).free();

        leaving.countDown();

        assertThat(posting.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        closing.join(10_000);
        verify(sends.getFirst()).free();
    }

    @Test
    void doesNotAskDisniWhenTheQueueIsFull() throws Exception {
        PostSend send = prepared(32);
        assertThat(send.execute(0, 32)).isEqualTo(DEPTH);

        assertThat(send.execute(16, 16)).isZero();

        assertThat(sendLengths).containsExactly(DEPTH);
    }

    @Test
    void aRefusedRequestIsTakenBack() throws Exception {
        PostSend send = prepared(3);
        answerSends(call -> {
            SVCPostSend made = mock(SVCPostSend.class, RETURNS_DEEP_STUBS);
            if (call.<List<?>>getArgument(1).size() == 1) {
                doThrow(new IOException("j2c::post_send: failed: Invalid argument\n"))
                        .when(made)
                        .execute();
            }
            return made;
        });

        assertThatThrownBy(() -> send.execute(0, 3))
                .isInstanceOfSatisfying(
                        PostException.class, e -> assertThat(e.acceptedCount()).isEqualTo(2))
                .hasMessageContaining("EINVAL");

        assertThat(connection.queuePair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        verify(disni.cm, never()).disconnect(any());
    }

    @Test
    void aRefusedChainEndsTheConnection() throws Exception {
        PostSend send = prepared(4);
        answerSends(_ -> {
            SVCPostSend made = mock(SVCPostSend.class, RETURNS_DEEP_STUBS);
            doThrow(new IOException("j2c::post_send: failed: Cannot allocate memory\n"))
                    .when(made)
                    .execute();
            return made;
        });

        assertThatThrownBy(() -> send.execute(0, 4))
                .isInstanceOf(PostException.class)
                .hasMessageContaining("ENOMEM");

        verify(disni.cm).disconnect(disni.id);
        assertThat(connection.queuePair().state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void findsAReceiveAgainByWhatItHolds() throws Exception {
        PostReceive receive = connection.queuePair().preparePostReceive(1, 4);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 4; i++) {
                receive.request(i)
                        .workRequestId(10L * round + i)
                        .scatterGather(0, region, 64L * i, 64);
            }
            assertThat(receive.execute(0, 4)).isEqualTo(4);
        }

        assertThat(receiveLengths).containsExactly(4);
        verify(receives.getFirst(), times(3)).execute();
    }

    @Test
    void cutsARingOfBuffersAlwaysAtTheSamePlaces() throws Exception {
        when(disni.verbs.pollCQ(any(), any(), anyInt()))
                .thenAnswer(call -> new OldestReceives(call.getArgument(1)));
        PollCompletions poll = connection.queue().preparePoll(DEPTH);
        PostReceive receive = connection.queuePair().preparePostReceive(1, DEPTH);
        for (int i = 0; i < DEPTH; i++) {
            receive.request(i).scatterGather(0, region, 64L * i, 64);
        }
        int slot = 0;
        for (int round = 0; round < 200; round++) {
            int length = Math.min(1 + round * 7 % DEPTH, DEPTH - slot);
            assertThat(receive.execute(slot, length)).isEqualTo(length);
            OldestReceives.count = length;
            assertThat(poll.execute()).isEqualTo(length);
            slot = (slot + length) % DEPTH;
        }

        // Each buffer alone, and each aligned pair, four, eight and sixteen of them.
        assertThat(receives).hasSizeLessThanOrEqualTo(2 * DEPTH - 1);
    }

    @Test
    void preparesNothingMoreAfterAWhileHoweverTheBuffersAreOrdered() throws Exception {
        when(disni.verbs.pollCQ(any(), any(), anyInt()))
                .thenAnswer(call -> new OldestReceives(call.getArgument(1)));
        PollCompletions poll = connection.queue().preparePoll(DEPTH);
        PostReceive receive = connection.queuePair().preparePostReceive(1, DEPTH);
        List<Integer> buffers = new ArrayList<>(IntStream.range(0, DEPTH).boxed().toList());
        Random random = new Random(SEED);
        int prepared = 0;
        for (int round = 0; round < 1000; round++) {
            Collections.shuffle(buffers, random);
            for (int i = 0; i < DEPTH; i++) {
                receive.request(i).scatterGather(0, region, 64L * buffers.get(i), 64);
            }
            assertThat(receive.execute(0, DEPTH)).isEqualTo(DEPTH);
            OldestReceives.count = DEPTH;
            assertThat(poll.execute()).isEqualTo(DEPTH);
            prepared = round < 900 ? receives.size() : prepared;
        }

        assertThat(receives).hasSize(prepared);
    }

    /// Completes the oldest receives of the second account of the device, that of the queue pair's
    /// receives.
    private static final class OldestReceives extends SVCPollCq {
        private static int count;
        private final IbvWC[] completions;

        OldestReceives(IbvWC[] completions) {
            this.completions = completions;
        }

        @Override
        public int getPolls() {
            return count;
        }

        @Override
        public SVCPollCq execute() {
            for (int i = 0; i < count; i++) {
                completions[i].setWr_id(1L << Integer.SIZE);
                completions[i].setStatus(0);
            }
            return this;
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public SVCPollCq free() {
            return this;
        }
    }

    @Test
    void preparesAnotherReceiveForOtherBuffers() throws Exception {
        PostReceive receive = connection.queuePair().preparePostReceive(1, 3);
        for (int i = 0; i < 3; i++) {
            receive.request(i).scatterGather(0, region, 64L * i, 64);
        }
        assertThat(receive.execute(0, 3)).isEqualTo(3);
        receive.request(0).scatterGather(0, region, 1024, 64);

        assertThat(receive.execute(0, 3)).isEqualTo(3);
        assertThat(receive.execute(1, 1)).isEqualTo(1);
        receive.close();

        assertThat(receiveLengths).containsExactly(2, 1, 2, 1);
        for (SVCPostRecv each : receives) {
            verify(each).free();
        }
    }

    @Test
    void refusesToPostBeforeTheConnectionStands() throws Exception {
        MockedDisni.Connection waiting =
                new MockedDisni().unconnected(QueuePairCapacity.of(DEPTH, DEPTH));
        PostSend send = waiting.queuePair().preparePostSend(SendShape.of(SendOpcode.SEND), 1);

        assertThatThrownBy(() -> send.execute(0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("INIT");
        assertThat(waiting.queuePair().preparePostReceive(0, 1).execute(0, 1)).isEqualTo(1);
    }

    @Test
    void flushesWhatIsPostedInError() throws Exception {
        connection.queuePair().fail();
        clearInvocations(disni.cm);

        assertThat(prepared(1).execute(0, 1)).isEqualTo(1);

        InOrder order = inOrder(sends.getFirst(), disni.cm);
        order.verify(sends.getFirst()).execute();
        order.verify(disni.cm).disconnect(disni.id);
    }

    @Test
    void keepsARegionThatIsOutstanding() throws Exception {
        assertThat(prepared(1).execute(0, 1)).isEqualTo(1);

        assertThatThrownBy(region::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has not completed");
        verify(disni.verbs, never()).deregMr(any());

        connection.queuePair().close();
        region.close();
        verify(disni.verbs).deregMr(any());
    }

    @Test
    void hasNoAtomicsAndSaysSo() {
        assertThatThrownBy(() ->
                        connection
                                .queuePair()
                                .preparePostSend(SendShape.of(SendOpcode.ATOMIC_FETCH_AND_ADD), 1))
                .isInstanceOfSatisfying(
                        UnsupportedCapabilityException.class,
                        e -> assertThat(e.capability()).isEqualTo(Capability.ATOMICS));
    }

    @Test
    void refusesRegionsThatDisniCannotMeasure() {
        assertThatThrownBy(() -> connection.domain().allocate(1L << 31, Set.of()))
                .isInstanceOfSatisfying(
                        UnsupportedCapabilityException.class,
                        e -> assertThat(e.capability()).isEqualTo(Capability.LARGE_REGIONS));
    }
}
