package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairAttributes.Attribute;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.VerbsException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Datagrams that nobody gets: the sender learns nothing, and the receiver is none the worse. Also
/// the states of a queue pair of datagrams.
public abstract class DatagramLossContract extends VerbsContract {
    private static final int ROUTE = DatagramEnd.ROUTE;
    private static final int SLOT = 64;
    private static final byte GUARD = 0x5a;

    /// How a send longer than the MTU may complete, if it is not refused when it is posted. The
    /// specification wants a success (C10-93.1.1), and so does Soft-RoCE; some cards report it.
    protected Set<CompletionStatus> statusesOfADatagramTooLong() {
        return EnumSet.of(CompletionStatus.SUCCESS, CompletionStatus.LOCAL_LENGTH_ERROR);
    }

    /// How a receive may complete that is too small for a datagram, if the datagram is not dropped
    /// without touching it.
    protected Set<CompletionStatus> statusesOfAReceiveTooSmall() {
        return EnumSet.of(
                CompletionStatus.LOCAL_LENGTH_ERROR,
                CompletionStatus.REMOTE_INVALID_REQUEST_ERROR,
                CompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
    }

    @BeforeEach
    final void requireCapability() {
        assume(Capability.UNRELIABLE_DATAGRAM, Capability.QUEUE_PAIR_MODIFY, Capability.GID_CHOICE);
        skipUnless(!losesPackets(), "datagrams may be lost here (rdmanet.tck.lossy)");
    }

    private DatagramEnd open() throws Exception {
        return closing(DatagramEnd.open(openContext(), PairOptions.defaults(), patience()));
    }

    private DatagramEnd openBeside(DatagramEnd other) throws Exception {
        return closing(DatagramEnd.open(other.context(), PairOptions.defaults(), patience()));
    }

    // ---- what is lost

    @Test
    void aWrongQueueKeyIsNotLetIn() throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(1, SLOT);
        receiver.postReceives(2, receiver.memory(2, SLOT), SLOT);
        for (int key : new int[] {0, DatagramEnd.QUEUE_KEY + 1, DatagramEnd.QUEUE_KEY ^ 1 << 30}) {
            sender.send(key, source, 0, 1, receiver.gid(), receiver.queuePair().number(), key);
        }

        sender.send(7, source, 0, 2, receiver);

        assertThat(receiver.receives().takeSuccesses(1).getFirst().byteLength())
                .isEqualTo(ROUTE + 2);
        sender.sends().takeSuccesses(4);
        receiver.receives().assertSilentFor(quiet());
    }

    @Test
    void aChangedQueueKeyCounts() throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(1, SLOT);
        receiver.postReceives(2, receiver.memory(2, SLOT), SLOT);
        receiver.queuePair()
                .modify(
                        QueuePairAttributes.to(QueuePairState.READY_TO_SEND)
                                .with(Attribute.QUEUE_KEY, 5));

        sender.send(1, source, 0, 1, receiver);
        sender.send(2, source, 0, 2, receiver.gid(), receiver.queuePair().number(), 5);

        assertThat(receiver.receives().takeSuccesses(1).getFirst().byteLength())
                .isEqualTo(ROUTE + 2);
        assertThat(receiver.queuePair().query().number(Attribute.QUEUE_KEY)).isEqualTo(5);
    }

    @Test
    void withoutAReceivePostedItIsLostAndTheNextOneArrives() throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(1, SLOT);
        sender.send(1, source, 0, 1, receiver);
        sender.sends().takeSuccesses(1);
        receiver.receives().assertSilentFor(quiet());

        receiver.postReceives(1, receiver.memory(1, SLOT), SLOT);
        receiver.receives().assertSilentFor(quiet());
        sender.send(2, source, 0, 2, receiver);

        assertThat(receiver.receives().takeSuccesses(1).getFirst().byteLength())
                .isEqualTo(ROUTE + 2);
        sender.sends().takeSuccesses(1);
        assertThat(receiver.queuePair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @Test
    void aNumberThatNobodyHasIsNoError() throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(1, SLOT);
        receiver.postReceives(1, receiver.memory(1, SLOT), SLOT);
        int nobody = receiver.queuePair().number() ^ 0x800000;

        sender.send(1, source, 0, 1, receiver.gid(), nobody, DatagramEnd.QUEUE_KEY);
        sender.send(2, source, 0, 2, receiver);

        sender.sends().takeSuccesses(2);
        assertThat(receiver.receives().takeSuccesses(1).getFirst().byteLength())
                .isEqualTo(ROUTE + 2);
    }

    @Test
    void aReceiverThatHasGoneIsNoError() throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(1, SLOT);
        receiver.postReceives(1, receiver.memory(1, SLOT), SLOT);
        sender.send(1, source, 0, 1, receiver);
        receiver.receives().takeSuccesses(1);
        receiver.queuePair().close();

        sender.send(2, source, 0, 1, receiver);

        sender.sends().takeSuccesses(2);
        assertThat(sender.queuePair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @Test
    void aConnectedQueuePairTakesNoDatagrams() throws Exception {
        ConnectedPair pair = connect();
        DatagramEnd sender =
                closing(
                        DatagramEnd.open(
                                pair.left().context(), PairOptions.defaults(), patience()));
        pair.right().postReceive(1, pair.right().memory(256), 0, 256);
        int number = pair.right().queuePair().number();

        sender.send(1, sender.memory(1, SLOT), 0, 1, sender.gid(), number, 0);

        sender.sends().takeSuccesses(1);
        pair.right().receives().assertSilentFor(quiet());
        assertThat(pair.right().queuePair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void whatIsLongerThanTheMtuNeverArrives(int excess) throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        int tooLong = sender.mtu() + excess;
        MemoryRegion source = sender.end().memory(tooLong);
        MemoryRegion target = receiver.end().memory(ROUTE + tooLong);
        receiver.end().postReceive(1, target, 0, ROUTE + tooLong);
        boolean isRefused = false;
        try {
            sender.send(2, source, 0, tooLong, receiver);
        } catch (IllegalArgumentException | VerbsException refused) {
            isRefused = true;
        }

        if (!isRefused) {
            assertThat(sender.sends().take().status()).isIn(statusesOfADatagramTooLong());
        }
        receiver.receives().assertSilentFor(quiet());
        DatagramEnd other = openBeside(sender);
        other.send(3, other.memory(1, SLOT), 0, SLOT, receiver);
        assertThat(receiver.receives().takeSuccesses(1).getFirst().byteLength())
                .isEqualTo(ROUTE + SLOT);
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void inlineDataLongerThanTheMtuNeverArrives(MemoryKind kind) throws Exception {
        DatagramEnd probe = open();
        int tooLong = probe.mtu() + 1;
        int most = probe.context().queryDevice().maxInlineData();
        skipUnless(
                most >= tooLong,
                "the device takes " + most + " bytes of inline data, which any datagram has");
        DatagramEnd sender =
                closing(
                        DatagramEnd.open(
                                probe.context(),
                                PairOptions.defaults().withInlineData(tooLong),
                                patience()));
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.end().memory(tooLong);
        MemoryRegion target = receiver.end().memory(kind, ROUTE + tooLong);
        receiver.end().postReceive(1, target, 0, ROUTE + tooLong);
        PostSend send = sender.prepareSend(SendOpcode.SEND, 1);
        send.request(0)
                .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                .scatterGather(0, source, 0, tooLong);
        sender.address(send, receiver);

        assertThatThrownBy(() -> send.execute(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(probe.mtu()));

        receiver.receives().assertSilentFor(quiet());
    }

    @ParameterizedTest
    @ValueSource(ints = {SLOT, 1, 0})
    void aReceiveTooSmallHoldsNothingBeyondItsEnd(int missing) throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(1, SLOT + 1);
        MemoryRegion target = receiver.memory(3, SLOT);
        target.segment().fill(GUARD);
        int room = ROUTE + SLOT - missing;
        receiver.end().postReceive(1, target, 0, room);

        sender.send(2, source, 0, SLOT + (missing == 0 ? 1 : 0), receiver);

        sender.sends().takeSuccesses(1);
        Waiting.until(quiet(), () -> false);
        for (Completion received : receiver.receives().drain()) {
            assertThat(received.status()).isIn(statusesOfAReceiveTooSmall());
        }
        Payload.assertUntouched(target.segment(), room, SLOT, GUARD);
    }

    // ---- states

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aQueuePairThatIsNotReadyTakesNothing(int steps) throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        receiver.queuePair().modify(QueuePairAttributes.to(QueuePairState.RESET));
        if (steps > 0) {
            receiver.queuePair()
                    .modify(QueuePairAttributes.toDatagramInit(1, DatagramEnd.QUEUE_KEY));
            receiver.postReceives(1, receiver.memory(1, SLOT), SLOT);
        }

        sender.send(1, sender.memory(1, SLOT), 0, 1, receiver);

        sender.sends().takeSuccesses(1);
        receiver.receives().assertSilentFor(quiet());
    }

    @Test
    void receivesBeforeItIsReadyToSendAndAgainAfterReset() throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(1, SLOT);
        MemoryRegion target = receiver.memory(1, SLOT);
        for (int round = 0; round < 3; round++) {
            receiver.queuePair().modify(QueuePairAttributes.to(QueuePairState.RESET));
            receiver.queuePair()
                    .modify(QueuePairAttributes.toDatagramInit(1, DatagramEnd.QUEUE_KEY));
            receiver.postReceives(1, target, SLOT);
            receiver.queuePair().modify(QueuePairAttributes.toDatagramReadyToReceive());

            sender.send(round, source, 0, round, receiver);

            assertThat(receiver.receives().takeSuccesses(1).getFirst().byteLength())
                    .isEqualTo(ROUTE + round);
            sender.sends().takeSuccesses(1);
        }
    }

    @Test
    void theTransitionsNeedWhatTheSpecificationSays() throws Exception {
        DatagramEnd end = open();
        var queuePair = end.queuePair();
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        QueuePairAttributes noKey =
                QueuePairAttributes.to(QueuePairState.INIT)
                        .with(Attribute.PARTITION_KEY_INDEX, 0)
                        .with(Attribute.PORT_NUMBER, 1);

        assertThatThrownBy(() -> queuePair.modify(noKey))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("QUEUE_KEY");
        queuePair.modify(QueuePairAttributes.toDatagramInit(1, 3));
        queuePair.modify(QueuePairAttributes.toDatagramReadyToReceive());
        assertThatThrownBy(() ->
                        queuePair.modify(QueuePairAttributes.to(QueuePairState.READY_TO_SEND)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("SEND_PACKET_SEQUENCE_NUMBER");
        queuePair.modify(QueuePairAttributes.toDatagramReadyToSend(0));
        assertThat(queuePair.state()).isEqualTo(QueuePairState.READY_TO_SEND);
        assertThat(queuePair.query().number(Attribute.QUEUE_KEY)).isEqualTo(3);
    }

    @Test
    void anErrorFlushesBothQueuesInOrder() throws Exception {
        DatagramEnd end = open();
        DatagramEnd other = openBeside(end);
        MemoryRegion memory = end.memory(4, SLOT);
        end.postReceives(4, memory, SLOT);
        other.send(9, other.memory(1, SLOT), 0, 1, end);
        assertThat(end.receives().takeSuccesses(1).getFirst().id()).isZero();

        end.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        end.send(10, memory, 0, 1, other);
        end.end().postReceive(4, memory, 0, SLOT);

        assertFlushed(end.receives().take(4), 1, 2, 3, 4);
        assertFlushed(end.sends().take(1), 10);
        other.send(11, other.memory(1, SLOT), 0, 1, end); // and so is lost
        other.sends().takeSuccesses(2);
        end.receives().assertSilentFor(quiet());
    }

    private static void assertFlushed(List<Completion> completions, long... ids) {
        assertThat(completions.stream().mapToLong(Completion::id))
                .containsExactly(java.util.Arrays.stream(ids).boxed().toArray(Long[]::new));
        assertThat(completions)
                .extracting(Completion::status)
                .containsOnly(CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
    }
}
