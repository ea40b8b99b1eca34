package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Receives that several queue pairs share: who takes them, in which order, where they complete,
/// and what an empty or a full queue does.
public abstract class SharedReceiveQueueContract extends VerbsContract {
    private static final int SLOT = 64;
    private static final byte GUARD = 0x5a;

    /// How a send ends that is longer than the peer's receive, as in [SendErrorContract].
    protected Set<CompletionStatus> statusesOfASendTooLong() {
        return EnumSet.of(CompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
    }

    /// How the receive ends that is too small for its message, as in [SendErrorContract].
    protected Set<CompletionStatus> statusesOfAReceiveTooSmall() {
        return EnumSet.of(
                CompletionStatus.LOCAL_LENGTH_ERROR, CompletionStatus.REMOTE_INVALID_REQUEST_ERROR);
    }

    @BeforeEach
    final void requireCapability() {
        assume(
                Capability.SHARED_RECEIVE_QUEUE,
                Capability.QUEUE_PAIR_MODIFY,
                Capability.GID_CHOICE);
    }

    private SharedReceivers open(int maxReceives) throws Exception {
        return closing(SharedReceivers.open(openContext(), maxReceives, 2, patience()));
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void completionsComeWhereTheMessageArrivedWithItsQueuePairsNumber(MemoryKind kind)
            throws Exception {
        SharedReceivers shared = open(16);
        List<ConnectedPair> pairs = List.of(shared.connect(), shared.connect(), shared.connect());
        MemoryRegion target = shared.memory(kind, 12 * SLOT);
        shared.post(0, 12, target, SLOT);
        for (int i = 0; i < 12; i++) {
            ConnectedPair pair = pairs.get(i * 7 % 3);
            MemoryRegion source = pair.left().memory(kind, SLOT);
            Payload.fill(source.segment(), 0, SLOT - i, i);

            pair.left().postSend(i, source, 0, SLOT - i);

            Completion received = pair.right().receives().takeSuccesses(1).getFirst();
            assertThat(received.id()).as("taken in the order of posting").isEqualTo(i);
            assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE);
            assertThat(received.byteLength()).isEqualTo(SLOT - i);
            assertThat(received.queuePairNumber()).isEqualTo(pair.right().queuePair().number());
            Payload.assertHolds(target.segment(), (long) i * SLOT, SLOT - i, i);
            pair.left().sends().takeSuccesses(1);
        }
        for (ConnectedPair pair : pairs) {
            pair.right().receives().assertSilentFor(quiet());
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void scattersAndCarriesMessagesOfManyPackets(MemoryKind kind) throws Exception {
        SharedReceivers shared = open(2);
        ConnectedPair pair = shared.connect();
        int length = 1 << 20;
        MemoryRegion source = pair.left().memory(length);
        MemoryRegion target = shared.memory(kind, length + SLOT);
        Payload.fill(source.segment(), 0, length, 4);
        target.segment().fill(GUARD);
        try (PostReceive receive = shared.queue().preparePostReceive(2, 1)) {
            receive.request(0)
                    .workRequestId(5)
                    .scatterGather(0, target, 0, 1000)
                    .scatterGather(1, target, 1000, length - 1000);
            assertThat(receive.execute(0, 1)).isEqualTo(1);
        }

        pair.left().postSend(6, source, 0, length);

        Completion received = pair.right().receives().takeSuccesses(1).getFirst();
        assertThat(received.byteLength()).isEqualTo(length);
        Payload.assertHolds(target.segment(), 0, length, 4);
        Payload.assertUntouched(target.segment(), length, SLOT, GUARD);
        pair.left().sends().takeSuccesses(1);
    }

    @Test
    void aWriteWithImmediateDataTakesAReceive() throws Exception {
        assume(Capability.ONE_SIDED, Capability.IMMEDIATE_DATA);
        SharedReceivers shared = open(2);
        ConnectedPair pair = shared.connect();
        MemoryRegion source = pair.left().memory(SLOT);
        MemoryRegion target = pair.right().memory(SLOT);
        MemoryRegion unused = shared.memory(SLOT);
        Payload.fill(source.segment(), 0, SLOT, 1);
        shared.post(0, 1, unused, SLOT);
        PostSend write = pair.left().prepareSend(SendOpcode.RDMA_WRITE_WITH_IMMEDIATE, 1);
        write.request(0)
                .flags(SendFlags.SIGNALED)
                .immediate(99)
                .scatterGather(0, source, 0, SLOT)
                .remote(target.address(), target.remoteKey());

        assertThat(write.execute(0, 1)).isEqualTo(1);

        Completion received = pair.right().receives().takeSuccesses(1).getFirst();
        assertThat(received.immediate()).isEqualTo(99);
        assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
        Payload.assertHolds(target.segment(), 0, SLOT, 1);
        pair.left().sends().takeSuccesses(1);
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void datagramsAndConnectionsShareOneQueue(MemoryKind kind) throws Exception {
        assume(Capability.UNRELIABLE_DATAGRAM);
        SharedReceivers shared = open(8);
        ConnectedPair pair = shared.connect();
        int slot = DatagramEnd.ROUTE + SLOT;
        MemoryRegion target = shared.memory(kind, 6L * slot);
        shared.post(0, 1, target, slot); // before anybody could know that datagrams will come
        DatagramEnd datagrams = shared.openDatagram();
        DatagramEnd sender =
                closing(
                        DatagramEnd.open(
                                shared.domain().context(), PairOptions.defaults(), patience()));
        MemoryRegion source = pair.left().memory(SLOT);
        MemoryRegion datagram = sender.memory(1, SLOT);
        Payload.fill(source.segment(), 0, SLOT, 1);
        Payload.fill(datagram.segment(), 0, SLOT, 2);
        shared.post(1, 5, target, slot);
        for (int i = 0; i < 6; i += 2) {
            sender.send(i, datagram, 0, SLOT, datagrams);
            Completion received = datagrams.receives().takeSuccesses(1).getFirst();
            assertThat(received.id()).isEqualTo(i);
            assertThat(received.byteLength()).isEqualTo(slot);
            assertThat(received.sourceQueuePair()).isEqualTo(sender.queuePair().number());
            Payload.assertHolds(target.segment(), (long) i * slot + DatagramEnd.ROUTE, SLOT, 2);

            pair.left().postSend(i, source, 0, SLOT);
            Completion message = pair.right().receives().takeSuccesses(1).getFirst();
            assertThat(message.id()).isEqualTo(i + 1);
            assertThat(message.byteLength()).isEqualTo(SLOT);
            Payload.assertHolds(target.segment(), (i + 1L) * slot, SLOT, 1);
        }
        sender.send(7, datagram, 0, SLOT, datagrams); // finds the queue empty
        sender.sends().takeSuccesses(4);
        datagrams.receives().assertSilentFor(quiet());
    }

    // ---- empty and full

    @Test
    void anEmptyQueueLetsTheSenderWait() throws Exception {
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();
        MemoryRegion source = pair.left().memory(SLOT);
        pair.left().postSend(1, source, 0, SLOT);
        pair.left().sends().assertSilentFor(quiet());

        shared.post(0, 1, shared.memory(SLOT), SLOT);

        pair.right().receives().takeSuccesses(1);
        pair.left().sends().takeSuccesses(1);
    }

    @Test
    void anEmptyQueueFailsTheSenderWithoutRetries() throws Exception {
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect(PairOptions.defaults().withRnrRetryCount(0));
        ConnectedPair other = shared.connect();
        MemoryRegion source = pair.left().memory(SLOT);

        pair.left().postSend(1, source, 0, SLOT);

        assertThat(pair.left().sends().take().status())
                .isEqualTo(CompletionStatus.RNR_RETRY_EXCEEDED_ERROR);
        shared.post(0, 1, shared.memory(SLOT), SLOT);
        other.left().postSend(2, other.left().memory(SLOT), 0, SLOT);
        assertThat(other.right().receives().takeSuccesses(1).getFirst().id()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8})
    void aFullQueueAcceptsFewerThanAsked(int asked) throws Exception {
        SharedReceivers shared = open(asked);
        ConnectedPair pair = shared.connect();
        MemoryRegion source = pair.left().memory(SLOT);
        int capacity = shared.queue().maxReceives();
        assertThat(capacity).isGreaterThanOrEqualTo(asked);
        MemoryRegion target = shared.memory((capacity + 3L) * SLOT);
        PostReceive receive = closing(shared.queue().preparePostReceive(1, capacity + 3));
        for (int i = 0; i < capacity + 3; i++) {
            receive.request(i).workRequestId(i).scatterGather(0, target, (long) i * SLOT, SLOT);
        }

        assertThat(receive.execute(0, capacity + 3)).isEqualTo(capacity);
        assertThat(receive.execute(capacity, 3)).isZero();

        pair.left().postSend(1, source, 0, SLOT);
        assertThat(pair.right().receives().takeSuccesses(1).getFirst().id()).isZero();
        assertThat(receive.execute(capacity, 3)).as("accepted after one completion").isEqualTo(1);
        for (int i = 1; i <= capacity; i++) {
            pair.left().postSend(i, source, 0, SLOT);
            assertThat(pair.right().receives().takeSuccesses(1).getFirst().id()).isEqualTo(i);
        }
    }

    @Test
    void oneQueuePairsUnpolledCompletionsTakeNoRoomFromTheOthers() throws Exception {
        SharedReceivers shared = open(4);
        ConnectedPair lazy = shared.connect();
        ConnectedPair busy = shared.connect();
        int capacity = shared.queue().maxReceives();
        MemoryRegion target = shared.memory((long) capacity * SLOT);
        shared.post(0, capacity, target, SLOT);
        lazy.left().postSend(1, lazy.left().memory(SLOT), 0, SLOT);
        lazy.left().sends().takeSuccesses(1); // and nobody polls the receive

        MemoryRegion source = busy.left().memory(SLOT);
        for (int round = 0; round < 3 * capacity; round++) {
            busy.left().postSend(round, source, 0, SLOT);
            long free = busy.right().receives().takeSuccesses(1).getFirst().id();
            assertThat(shared.tryPost(free, target, free * SLOT, SLOT))
                    .as("accepted in round %d", round)
                    .isTrue();
        }

        assertThat(lazy.right().receives().takeSuccesses(1).getFirst().id()).isZero();
    }

    // ---- failures of one queue pair

    @Test
    void aMessageTooLongForItsReceiveFailsItsQueuePairAlone() throws Exception {
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();
        ConnectedPair other = shared.connect();
        MemoryRegion target = shared.memory(3 * SLOT);
        target.segment().fill(GUARD);
        shared.post(0, 2, target, SLOT);

        pair.left().postSend(1, pair.left().memory(SLOT + 1), 0, SLOT + 1);

        assertThat(pair.left().sends().take().status())
                .isIn(orUnanswered(statusesOfASendTooLong()));
        Completion failed = pair.right().receives().take();
        assertThat(failed.id()).isZero();
        assertThat(failed.status()).isIn(statusesOfAReceiveTooSmall());
        pair.right().awaitState(QueuePairState.ERROR);
        Payload.assertUntouched(target.segment(), SLOT, 2 * SLOT, GUARD);
        other.left().postSend(2, other.left().memory(SLOT), 0, SLOT);
        assertThat(other.right().receives().takeSuccesses(1).getFirst().id()).isEqualTo(1);
    }

    @Test
    void anErrorOfOneQueuePairFlushesNothingOfTheQueue() throws Exception {
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();
        ConnectedPair other = shared.connect();
        MemoryRegion target = shared.memory(3 * SLOT);
        shared.post(0, 3, target, SLOT);

        pair.right().queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));

        pair.right().receives().assertSilentFor(quiet());
        MemoryRegion source = other.left().memory(SLOT);
        for (int i = 0; i < 3; i++) {
            other.left().postSend(i, source, 0, SLOT);
            assertThat(other.right().receives().takeSuccesses(1).getFirst().id()).isEqualTo(i);
        }
        pair.right().receives().assertSilentFor(quiet());
    }

    @Test
    void aClosedQueuePairLeavesTheReceivesToTheOthers() throws Exception {
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();
        ConnectedPair other = shared.connect();
        MemoryRegion target = shared.memory(4 * SLOT);
        shared.post(0, 4, target, SLOT);
        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);
        pair.left().sends().takeSuccesses(1);
        assertThat(pair.right().receives().takeSuccesses(1).getFirst().id()).isZero();

        pair.right().queuePair().close();

        MemoryRegion source = other.left().memory(SLOT);
        for (int i = 1; i < 4; i++) {
            other.left().postSend(i, source, 0, SLOT);
            assertThat(other.right().receives().takeSuccesses(1).getFirst().id()).isEqualTo(i);
        }
    }
}
