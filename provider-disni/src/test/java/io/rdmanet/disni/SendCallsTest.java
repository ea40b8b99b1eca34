package io.rdmanet.disni;

import static io.rdmanet.disni.PreparedCalls.DEPTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;

/// Sending: which of DiSNI's prepared calls are made, changed, executed and freed.
class SendCallsTest {
    private final PreparedCalls calls;

    SendCallsTest() throws Exception {
        calls = new PreparedCalls();
    }

    @Test
    void composesARunOfAlignedChains() throws Exception {
        PostSend send = calls.prepared(16);

        assertThat(send.execute(3, 10)).isEqualTo(10);

        assertThat(calls.sendLengths).containsExactly(1, 4, 4, 1);
        for (SVCPostSend each : calls.sends) {
            verify(each).execute();
        }
    }

    @Test
    void executesThePreparedCallAgain() throws Exception {
        PostSend send = calls.prepared(8);

        assertThat(send.execute(0, 8)).isEqualTo(8);
        assertThat(send.execute(0, 8)).isEqualTo(8);

        assertThat(calls.sendLengths).containsExactly(8);
        verify(calls.sends.getFirst(), times(2)).execute();
        verify(calls.sends.getFirst(), never()).free();
    }

    @Test
    void changesInPlaceOnlyWhatHasChanged() throws Exception {
        PostSend send = calls.prepared(2);
        assertThat(send.execute(0, 2)).isEqualTo(2);
        SVCPostSend call = calls.sends.getFirst();
        SVCPostSend.SendWRMod first = call.getWrMod(0);
        SVCPostSend.SendWRMod second = call.getWrMod(1);
        SVCPostSend.SgeMod element = second.getSgeMod(0);
        clearInvocations(first, second, element);

        send.request(1).flags(SendFlags.SIGNALED).scatterGather(0, calls.region, 128, 7);
        assertThat(send.execute(0, 2)).isEqualTo(2);

        verify(first, never()).setSend_flags(anyInt());
        verify(second).setSend_flags(SendFlags.SIGNALED);
        verify(element).setAddr(calls.region.address() + 128);
        verify(element).setLength(7);
        assertThat(calls.sendLengths).hasSize(1);
    }

    @Test
    void preparesAfreshWhatDisniHasFrozen() throws Exception {
        PostSend send = calls.prepared(2);
        assertThat(send.execute(0, 2)).isEqualTo(2);

        send.request(1).scatterGather(0, calls.region, 0, 0);
        assertThat(send.execute(0, 2)).isEqualTo(2);

        assertThat(calls.sendLengths).containsExactly(2, 2);
        verify(calls.sends.get(0)).free();
        verify(calls.sends.get(1), never()).free();
    }

    @Test
    void givesImmediateDataInNetworkOrder() throws Exception {
        List<IbvSendWR> seen = new ArrayList<>();
        calls.answerSends(call -> {
            seen.addAll(call.<List<IbvSendWR>>getArgument(1));
            return mock(SVCPostSend.class, RETURNS_DEEP_STUBS);
        });
        PostSend send =
                calls.connection
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
        PostSend send = calls.prepared(3);
        assertThat(send.execute(0, 3)).isEqualTo(3);

        send.close();
        send.close();

        assertThat(calls.sends).hasSize(2);
        for (SVCPostSend each : calls.sends) {
            verify(each).free();
        }
        assertThatThrownBy(() -> send.execute(0, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void freesNothingThatIsJustBeingPosted() throws Exception {
        PostSend send = calls.prepared(1);
        send.execute(0, 1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leaving = new CountDownLatch(1);
        when(calls.sends.getFirst().execute())
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
        verify(calls.sends.getFirst(), never()).free();

        leaving.countDown();

        assertThat(posting.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        closing.join(10_000);
        verify(calls.sends.getFirst()).free();
    }

    @Test
    void doesNotAskDisniWhenTheQueueIsFull() throws Exception {
        PostSend send = calls.prepared(32);
        assertThat(send.execute(0, 32)).isEqualTo(DEPTH);

        assertThat(send.execute(16, 16)).isZero();

        assertThat(calls.sendLengths).containsExactly(DEPTH);
    }

    @Test
    void aRefusedRequestIsTakenBack() throws Exception {
        PostSend send = calls.prepared(3);
        calls.answerSends(call -> {
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

        assertThat(calls.connection.queuePair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        verify(calls.disni.cm, never()).disconnect(any());
    }

    @Test
    void aRefusedChainEndsTheConnection() throws Exception {
        PostSend send = calls.prepared(4);
        calls.answerSends(_ -> {
            SVCPostSend made = mock(SVCPostSend.class, RETURNS_DEEP_STUBS);
            doThrow(new IOException("j2c::post_send: failed: Cannot allocate memory\n"))
                    .when(made)
                    .execute();
            return made;
        });

        assertThatThrownBy(() -> send.execute(0, 4))
                .isInstanceOf(PostException.class)
                .hasMessageContaining("ENOMEM");

        verify(calls.disni.cm).disconnect(calls.disni.id);
        assertThat(calls.connection.queuePair().state()).isEqualTo(QueuePairState.ERROR);
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
        calls.connection.queuePair().fail();
        clearInvocations(calls.disni.cm);

        assertThat(calls.prepared(1).execute(0, 1)).isEqualTo(1);

        InOrder order = inOrder(calls.sends.getFirst(), calls.disni.cm);
        order.verify(calls.sends.getFirst()).execute();
        order.verify(calls.disni.cm).disconnect(calls.disni.id);
    }

    @Test
    void hasNoAtomicsAndSaysSo() {
        assertThatThrownBy(() ->
                        calls.connection
                                .queuePair()
                                .preparePostSend(SendShape.of(SendOpcode.ATOMIC_FETCH_AND_ADD), 1))
                .isInstanceOfSatisfying(
                        UnsupportedCapabilityException.class,
                        e -> assertThat(e.capability()).isEqualTo(Capability.ATOMICS));
    }
}
