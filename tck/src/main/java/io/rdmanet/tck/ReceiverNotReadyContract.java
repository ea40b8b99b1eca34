package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What happens to a message that finds no receive posted (RNR).
public abstract class ReceiverNotReadyContract extends VerbsContract {
    private static final int SLOT = 64;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void failsWhenItsRetriesAreUsedUp(int retries) throws Exception {
        ConnectedPair pair = connect(PairOptions.defaults().withRnrRetryCount(retries));
        MemoryRegion source = pair.left().memory(SLOT);

        pair.left().postSend(1, source, 0, SLOT, SendFlags.NONE);
        pair.left().postSend(2, source, 0, SLOT, SendFlags.NONE);

        List<Completion> failed = pair.left().sends().take(2);
        assertThat(failed).extracting(Completion::id).containsExactly(1L, 2L);
        assertThat(failed)
                .extracting(Completion::status)
                .containsExactly(
                        CompletionStatus.RNR_RETRY_EXCEEDED_ERROR,
                        CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
        pair.left().awaitState(QueuePairState.ERROR);
        assertThat(pair.right().receives().drain()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void waitsForAReceiveAsLongAsItTakes(MemoryKind kind) throws Exception {
        ConnectedPair pair = connect(PairOptions.defaults().withRnrRetryCount(7));
        MemoryRegion source = pair.left().memory(kind, SLOT);
        MemoryRegion target = pair.right().memory(kind, SLOT);
        Payload.fill(source.segment(), 0, SLOT, 1);

        pair.left().postSend(1, source, 0, SLOT);
        pair.left().sends().assertSilentFor(quiet());
        assertThat(pair.left().queuePair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
        pair.right().postReceive(2, target, 0, SLOT);

        pair.right().receives().takeSuccesses(1);
        pair.left().sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), 0, SLOT, 1);
    }

    @Test
    void keepsTheOrderBehindAMessageThatWaits() throws Exception {
        ConnectedPair pair = connect();
        int count = 20;
        MemoryRegion source = pair.left().memory((long) count * SLOT);
        MemoryRegion target = pair.right().memory(SLOT);
        for (int i = 0; i < count; i++) {
            Payload.fill(source.segment(), (long) i * SLOT, SLOT, i);
            pair.left().postSend(i, source, (long) i * SLOT, SLOT);
        }
        for (int i = 0; i < count; i++) {
            pair.right().postReceive(100 + i, target, 0, SLOT);

            assertThat(pair.right().receives().takeSuccesses(1).getFirst().id()).isEqualTo(100 + i);
            Payload.assertHolds(target.segment(), 0, SLOT, i);
            assertThat(pair.left().sends().takeSuccesses(1).getFirst().id()).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 8})
    void goesOnInOrderWhereAChainFoundNoReceive(int ready) throws Exception {
        ConnectedPair pair = connect();
        int count = 8;
        MemoryRegion source = pair.left().memory((long) count * SLOT);
        MemoryRegion target = pair.right().memory((long) count * SLOT);
        PostSend chain = pair.left().prepareSend(SendOpcode.SEND, count);
        for (int i = 0; i < count; i++) {
            Payload.fill(source.segment(), (long) i * SLOT, SLOT, i);
            chain.request(i)
                    .workRequestId(i)
                    .flags(SendFlags.SIGNALED)
                    .scatterGather(0, source, (long) i * SLOT, SLOT);
        }
        pair.right().postReceives(ready, target, SLOT);

        assertThat(chain.execute(0, count)).isEqualTo(count);
        for (int i = 0; i < count; i++) {
            chain.request(i)
                    .workRequestId(-1)
                    .scatterGather(0, source, 0, 1); // not what was posted
        }
        for (int i = ready; i < count; i++) {
            pair.right().postReceive(i, target, (long) i * SLOT, SLOT);
        }

        assertThat(pair.right().receives().takeSuccesses(count))
                .extracting(Completion::id)
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(pair.left().sends().takeSuccesses(count))
                .extracting(Completion::id)
                .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
        for (int i = 0; i < count; i++) {
            Payload.assertHolds(target.segment(), (long) i * SLOT, SLOT, i);
        }
    }

    @Test
    void anEmptyInlineMessageWithoutElementsWaitsAsWell() throws Exception {
        assume(Capability.INLINE_DATA);
        ConnectedPair pair = connect();
        MemoryRegion target = pair.right().memory(SLOT);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);
        send.request(0).workRequestId(1).flags(SendFlags.INLINE | SendFlags.SIGNALED);

        assertThat(send.execute(0, 1)).isEqualTo(1);
        pair.left().sends().assertSilentFor(quiet());
        pair.right().postReceive(2, target, 0, SLOT);

        assertThat(pair.right().receives().takeSuccesses(1).getFirst().byteLength()).isZero();
        assertThat(pair.left().sends().takeSuccesses(1).getFirst().id()).isEqualTo(1);
    }

    @Test
    void holdsBackTheWriteBehindAMessageThatWaits() throws Exception {
        assume(Capability.ONE_SIDED);
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(SLOT);
        MemoryRegion target = pair.right().memory(2 * SLOT);
        Payload.fill(source.segment(), 0, SLOT, 2);

        pair.left().postSend(1, source, 0, SLOT);
        OneSided.write(pair.left(), 2, source, SLOT, target.address() + SLOT, target.remoteKey());
        pair.left().sends().assertSilentFor(quiet());
        Payload.assertUntouched(target.segment(), SLOT, SLOT, (byte) 0);
        pair.right().postReceive(3, target, 0, SLOT);

        assertThat(pair.left().sends().takeSuccesses(2))
                .extracting(Completion::id)
                .containsExactly(1L, 2L);
        Payload.assertHolds(target.segment(), SLOT, SLOT, 2);
        pair.right().receives().takeSuccesses(1);
    }

    @Test
    void leavesTheOtherDirectionAlone() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion left = pair.left().memory(SLOT);
        MemoryRegion right = pair.right().memory(SLOT);
        pair.left().postSend(1, left, 0, SLOT); // waits

        for (int i = 0; i < 50; i++) {
            pair.left().postReceive(i, left, 0, SLOT);
            pair.right().postSend(i, right, 0, SLOT);
            pair.left().receives().takeSuccesses(1);
            pair.right().sends().takeSuccesses(1);
        }

        pair.right().postReceive(2, right, 0, SLOT);
        pair.right().receives().takeSuccesses(1);
        pair.left().sends().takeSuccesses(1);
    }

    @Test
    void aWriteWithImmediateDataWaitsAsWell() throws Exception {
        assume(Capability.ONE_SIDED, Capability.IMMEDIATE_DATA);
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(SLOT);
        MemoryRegion target = pair.right().memory(SLOT);
        var write =
                pair.left().prepareSend(io.rdmanet.verbs.SendOpcode.RDMA_WRITE_WITH_IMMEDIATE, 1);
        write.request(0)
                .flags(SendFlags.SIGNALED)
                .immediate(77)
                .scatterGather(0, source, 0, SLOT)
                .remote(target.address(), target.remoteKey());

        assertThat(write.execute(0, 1)).isEqualTo(1);
        pair.left().sends().assertSilentFor(quiet());
        var receive = pair.right().prepareReceive(0, 1);
        assertThat(receive.request(0).execute(0, 1)).isEqualTo(1);

        assertThat(pair.right().receives().takeSuccesses(1).getFirst().immediate()).isEqualTo(77);
        pair.left().sends().takeSuccesses(1);
    }
}
