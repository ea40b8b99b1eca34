package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.VerbsException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How SENDs fail, and what happens to the work behind them.
public abstract class SendErrorContract extends VerbsContract {
    private static final int SLOT = 64;
    private static final byte GUARD = 0x5a;

    /// How a send ends that is longer than the peer's receive. The specification says
    /// REMOTE_INVALID_REQUEST_ERROR.
    protected Set<CompletionStatus> statusesOfASendTooLong() {
        return EnumSet.of(CompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
    }

    /// How the receive ends that is too small for its message. The specification says
    /// LOCAL_LENGTH_ERROR; Soft-RoCE reports REMOTE_INVALID_REQUEST_ERROR there as well.
    protected Set<CompletionStatus> statusesOfAReceiveTooSmall() {
        return EnumSet.of(CompletionStatus.LOCAL_LENGTH_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 1000, 100_000})
    void aMessageLongerThanItsReceiveFailsOnBothEnds(int length) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(length);
        MemoryRegion target = pair.right().memory(2 * SLOT);
        target.segment().fill(GUARD);
        pair.right().postReceive(1, target, 0, SLOT);

        pair.left().postSend(2, source, 0, length);

        Completion received = pair.right().receives().take();
        assertThat(received.id()).isEqualTo(1);
        assertThat(received.status()).isIn(statusesOfAReceiveTooSmall());
        Completion sent = pair.left().sends().take();
        assertThat(sent.id()).isEqualTo(2);
        assertThat(sent.status()).isIn(orUnanswered(statusesOfASendTooLong()));
        Payload.assertUntouched(target.segment(), SLOT, SLOT, GUARD);
        pair.left().awaitState(QueuePairState.ERROR);
        pair.right().awaitState(QueuePairState.ERROR);
    }

    @Test
    void aReceiveWithoutElementsTakesOnlyEmptyMessages() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(SLOT);
        var receive = pair.right().prepareReceive(0, 2);
        receive.request(0).workRequestId(1);
        receive.request(1).workRequestId(2);
        assertThat(receive.execute(0, 2)).isEqualTo(2);

        pair.left().postSend(3, source, 0, 0);
        pair.left().sends().takeSuccesses(1);
        assertThat(pair.right().receives().takeSuccesses(1).getFirst().byteLength()).isZero();

        pair.left().postSend(4, source, 0, 1);
        assertThat(pair.left().sends().take().status())
                .isIn(orUnanswered(statusesOfASendTooLong()));
        assertThat(pair.right().receives().take().status()).isIn(statusesOfAReceiveTooSmall());
    }

    @Test
    void whatWasPostedBehindAFailureIsFlushedInOrderUnsignaledOnesToo() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(2 * SLOT);
        MemoryRegion target = pair.right().memory(4 * SLOT);
        pair.right().postReceives(4, target, SLOT);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 5);
        for (int i = 0; i < 5; i++) {
            send.request(i)
                    .workRequestId(i)
                    .flags(SendFlags.NONE)
                    .scatterGather(0, source, 0, i == 1 ? SLOT + 1 : SLOT);
        }

        assertThat(send.execute(0, 5)).isEqualTo(5);

        List<Completion> failed = pair.left().sends().take(4); // 0 succeeded, unsignaled
        assertThat(failed).extracting(Completion::id).containsExactly(1L, 2L, 3L, 4L);
        assertThat(failed.getFirst().status()).isIn(orUnanswered(statusesOfASendTooLong()));
        assertThat(failed.subList(1, 4))
                .extracting(Completion::status)
                .containsOnly(CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
        List<Completion> received = pair.right().receives().take(4);
        assertThat(received).extracting(Completion::id).containsExactly(0L, 1L, 2L, 3L);
        assertThat(received.getFirst().succeeded()).isTrue();
        assertThat(received.get(1).status()).isIn(statusesOfAReceiveTooSmall());
        assertThat(received.subList(2, 4))
                .extracting(Completion::status)
                .containsOnly(CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
    }

    @Test
    void aFailedCompletionGivesRoomBack() throws Exception {
        ConnectedPair pair = connect(PairOptions.ofDepth(4, 4));
        int capacity = pair.left().queuePair().capacity().maxSends();
        MemoryRegion source = pair.left().memory(SLOT + 1);
        pair.right().postReceive(0, pair.right().memory(SLOT), 0, SLOT);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, capacity);
        for (int i = 0; i < capacity; i++) {
            send.request(i).workRequestId(i).scatterGather(0, source, 0, SLOT + 1);
        }
        assertThat(send.execute(0, capacity)).isEqualTo(capacity);

        assertThat(pair.left().sends().take(capacity)).noneMatch(Completion::succeeded);

        pair.left().awaitState(QueuePairState.ERROR);
        assertThat(send.execute(0, capacity)).isEqualTo(capacity);
        assertThat(pair.left().sends().take(capacity))
                .extracting(Completion::status)
                .containsOnly(CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void aReceiveNeedsLocalWrite(MemoryKind kind) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion readOnly = pair.right().memory(kind, SLOT, EnumSet.noneOf(AccessFlag.class));
        readOnly.segment().fill(GUARD);
        try {
            pair.right().postReceive(1, readOnly, 0, SLOT);
        } catch (IllegalArgumentException | VerbsException refused) {
            return; // refused before it is posted: as good
        }

        pair.left().postSend(2, pair.left().memory(SLOT), 0, SLOT);

        assertThat(pair.right().receives().take().status())
                .isIn(
                        CompletionStatus.LOCAL_ACCESS_ERROR,
                        CompletionStatus.LOCAL_PROTECTION_ERROR,
                        CompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
        assertThat(pair.left().sends().take().succeeded()).isFalse();
        Payload.assertUntouched(readOnly.segment(), 0, SLOT, GUARD);
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void aSendReadsMemoryWithoutAnyAccessFlag(MemoryKind kind) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion readOnly = pair.left().memory(kind, SLOT, EnumSet.noneOf(AccessFlag.class));
        MemoryRegion target = pair.right().memory(SLOT);
        Payload.fill(readOnly.segment(), 0, SLOT, 4);
        pair.right().postReceive(1, target, 0, SLOT);

        pair.left().postSend(2, readOnly, 0, SLOT);

        pair.right().receives().takeSuccesses(1);
        pair.left().sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), 0, SLOT, 4);
    }

    @Test
    void memoryOfAnotherDomainIsOutOfReach() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion foreign;
        try (var domain = pair.left().context().allocateProtectionDomain();
                var region = domain.allocate(SLOT, EnumSet.of(AccessFlag.LOCAL_WRITE))) {
            foreign = region;
            pair.right().postReceive(1, pair.right().memory(SLOT), 0, SLOT);
            try {
                pair.left().postSend(2, foreign, 0, SLOT);
            } catch (IllegalArgumentException | VerbsException refused) {
                return; // refused before it is posted: as good
            }
            assertThat(pair.left().sends().take().status())
                    .isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
            pair.left().awaitState(QueuePairState.ERROR);
            pair.right().receives().assertSilentFor(quiet());
        }
    }
}
