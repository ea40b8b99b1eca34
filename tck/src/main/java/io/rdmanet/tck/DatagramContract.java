package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.GlobalRouteDescriptor;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What unreliable datagrams carry, to whom, and where from. Nothing here may be lost: receives are
/// posted in time, and the way is assumed to lose nothing.
public abstract class DatagramContract extends VerbsContract {
    private static final int ROUTE = DatagramEnd.ROUTE;
    private static final int SLOT = 64;
    private static final byte GUARD = 0x5a;

    @BeforeEach
    final void requireCapability() {
        assume(Capability.UNRELIABLE_DATAGRAM, Capability.QUEUE_PAIR_MODIFY, Capability.GID_CHOICE);
        skipUnless(!losesPackets(), "datagrams may be lost here (rdmanet.tck.lossy)");
    }

    private DatagramEnd open() throws Exception {
        return open(PairOptions.defaults());
    }

    private DatagramEnd open(PairOptions options) throws Exception {
        return closing(DatagramEnd.open(openContext(), options, patience()));
    }

    /// Another end on the same device.
    private DatagramEnd openBeside(DatagramEnd other) throws Exception {
        return closing(DatagramEnd.open(other.context(), other.end().options(), patience()));
    }

    @ParameterizedTest
    @CsvSource({
        "ALLOCATED, ALLOCATED",
        "ALLOCATED, REGISTERED",
        "REGISTERED, ALLOCATED",
        "REGISTERED, REGISTERED"
    })
    void deliversEveryLengthUpToTheMtuAndNothingBeyond(MemoryKind from, MemoryKind to)
            throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        int mtu = sender.mtu();
        MemoryRegion source = sender.memory(from, 1);
        MemoryRegion target = receiver.memory(to, 2);
        long seed = 0;
        for (int length : lengths(mtu)) {
            Payload.fill(source.segment(), 0, length, ++seed);
            target.segment().fill(GUARD);

            receiver.end().postReceive(2 * seed, target, 0, ROUTE + mtu);
            sender.send(2 * seed + 1, source, 0, length, receiver);

            Completion received = receiver.receives().take();
            assertThat(received.succeeded()).as("%s", received).isTrue();
            assertThat(received.id()).isEqualTo(2 * seed);
            assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE);
            assertThat(received.byteLength()).isEqualTo(ROUTE + length);
            assertThat(received.immediate()).isNull();
            assertThat(received.queuePairNumber()).isEqualTo(receiver.queuePair().number());
            assertThat(received.sourceQueuePair()).isEqualTo(sender.queuePair().number());
            Payload.assertHolds(target.segment(), ROUTE, length, seed);
            Payload.assertUntouched(target.segment(), ROUTE + length, SLOT, GUARD);
            Completion sent = sender.sends().take();
            assertThat(sent.succeeded()).as("%s", sent).isTrue();
            assertThat(sent.id()).isEqualTo(2 * seed + 1);
            assertThat(sent.opcode()).isEqualTo(CompletionOpcode.SEND);
            assertThat(sent.queuePairNumber()).isEqualTo(sender.queuePair().number());
        }
    }

    /// Both sides of a cache line and of the padding to four bytes; the MTU, and what is next to
    /// it.
    private static SortedSet<Integer> lengths(int mtu) {
        SortedSet<Integer> lengths = new TreeSet<>();
        for (int length = 0; length <= 66; length++) {
            lengths.add(length);
        }
        for (int length = mtu - 5; length <= mtu; length++) {
            lengths.add(length);
        }
        lengths.add(mtu / 2);
        return lengths;
    }

    @Test
    void fillsAReceiveThatIsJustLongEnough() throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(1, SLOT);
        MemoryRegion target = receiver.memory(2, SLOT);
        Payload.fill(source.segment(), 0, SLOT, 3);
        target.segment().fill(GUARD);
        receiver.end().postReceive(1, target, 0, ROUTE + SLOT);

        sender.send(2, source, 0, SLOT, receiver);

        assertThat(receiver.receives().takeSuccesses(1).getFirst().byteLength())
                .isEqualTo(ROUTE + SLOT);
        Payload.assertHolds(target.segment(), ROUTE, SLOT, 3);
        Payload.assertUntouched(target.segment(), ROUTE + SLOT, SLOT, GUARD);
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void gathersAndScattersTheRouteLikeThePayload(MemoryKind kind) throws Exception {
        DatagramEnd sender = open(PairOptions.defaults().withScatterGather(3));
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(kind, 1);
        MemoryRegion target = receiver.memory(kind, 1);
        Payload.fill(source.segment(), 0, 100, 5);
        target.segment().fill(GUARD);
        PostReceive receive = receiver.end().prepareReceive(3, 1);
        PostSend send = sender.end().prepareSend(new SendShape(SendOpcode.SEND, 3), 1);
        receive.request(0)
                .scatterGather(0, target, 500, 33) // a part of the route
                .scatterGather(1, target, 0, 20) // its rest, and 13 bytes
                .scatterGather(2, target, 200, 87);
        send.request(0)
                .flags(SendFlags.SIGNALED)
                .scatterGather(0, source, 0, 1)
                .scatterGather(1, source, 1, 0)
                .scatterGather(2, source, 1, 99);
        sender.address(send, receiver);

        assertThat(receive.execute(0, 1)).isEqualTo(1);
        assertThat(send.execute(0, 1)).isEqualTo(1);

        assertThat(receiver.receives().takeSuccesses(1).getFirst().byteLength())
                .isEqualTo(ROUTE + 100);
        byte[] payload = new byte[100];
        java.lang.foreign.MemorySegment copy = java.lang.foreign.MemorySegment.ofArray(payload);
        copy.asSlice(0, 13).copyFrom(target.segment().asSlice(7, 13));
        copy.asSlice(13, 87).copyFrom(target.segment().asSlice(200, 87));
        Payload.assertHolds(copy, 0, 100, 5);
        Payload.assertUntouched(target.segment(), 20, 100, GUARD);
        Payload.assertUntouched(target.segment(), 533, SLOT, GUARD);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1, Integer.MIN_VALUE, 0x12345678})
    void carriesImmediateData(int immediate) throws Exception {
        assume(Capability.IMMEDIATE_DATA);
        DatagramEnd sender = open();
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(1, SLOT);
        MemoryRegion target = receiver.memory(1, SLOT);
        PostSend send = sender.prepareSend(SendOpcode.SEND_WITH_IMMEDIATE, 1);
        for (int length : new int[] {0, SLOT}) {
            Payload.fill(source.segment(), 0, length, immediate);
            receiver.postReceives(1, target, SLOT);
            send.request(0)
                    .flags(SendFlags.SIGNALED)
                    .immediate(immediate)
                    .scatterGather(0, source, 0, length);
            sender.address(send, receiver);
            assertThat(send.execute(0, 1)).isEqualTo(1);

            Completion received = receiver.receives().takeSuccesses(1).getFirst();
            assertThat(received.immediate()).isEqualTo(immediate);
            assertThat(received.byteLength()).isEqualTo(ROUTE + length);
            assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE);
            Payload.assertHolds(target.segment(), ROUTE, length, immediate);
            sender.sends().takeSuccesses(1);
        }
    }

    @Test
    void takesInlineDataWhenItIsPosted() throws Exception {
        assume(Capability.INLINE_DATA);
        DatagramEnd sender = open(PairOptions.defaults().withInlineData(32));
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion source = sender.memory(1, SLOT);
        MemoryRegion target = receiver.memory(4, 32);
        receiver.postReceives(4, target, 32);
        PostSend send = sender.prepareSend(SendOpcode.SEND, 1);
        int[] lengths = {0, 1, 31, 32};
        for (int i = 0; i < 4; i++) {
            Payload.fill(source.segment(), 0, lengths[i], i);
            send.request(0)
                    .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                    .scatterGather(0, source, 0, lengths[i]);
            sender.address(send, receiver);
            assertThat(send.execute(0, 1)).isEqualTo(1);
            source.segment().fill(GUARD); // ours again at once
        }

        receiver.receives().takeSuccesses(4);
        sender.sends().takeSuccesses(4);
        for (int i = 0; i < 4; i++) {
            Payload.assertHolds(target.segment(), i * (ROUTE + 32L) + ROUTE, lengths[i], i);
        }
    }

    @Test
    void takesInlineDataOfNoRegion() throws Exception {
        assume(Capability.UNREGISTERED_INLINE_DATA);
        DatagramEnd sender = open(PairOptions.defaults().withInlineData(32));
        DatagramEnd receiver = openBeside(sender);
        MemoryRegion target = receiver.memory(1, 32);
        receiver.postReceives(1, target, 32);
        MemorySegment data = MemorySegment.ofArray(new byte[32]);
        Payload.fill(data, 0, 32, 6);
        PostSend send = sender.prepareSend(SendOpcode.SEND, 1);
        send.request(0).flags(SendFlags.INLINE | SendFlags.SIGNALED).inlineData(0, data, 0, 32);
        sender.address(send, receiver);

        assertThat(send.execute(0, 1)).isEqualTo(1);
        data.fill(GUARD);

        receiver.receives().takeSuccesses(1);
        sender.sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), ROUTE, 32, 6);
    }

    @Test
    void oneChainReachesSeveralReceivers() throws Exception {
        DatagramEnd sender = open();
        List<DatagramEnd> receivers =
                List.of(openBeside(sender), openBeside(sender), openBeside(sender));
        MemoryRegion source = sender.memory(9, 8);
        PostSend send = sender.prepareSend(SendOpcode.SEND, 9);
        for (int i = 0; i < 9; i++) {
            Payload.fill(source.segment(), i * 8L, 8, i);
            send.request(i)
                    .workRequestId(i)
                    .flags(i == 8 ? SendFlags.SIGNALED : SendFlags.NONE)
                    .scatterGather(0, source, i * 8L, 8);
            sender.address(send, receivers.get(i % 3));
        }
        for (DatagramEnd receiver : receivers) {
            receiver.postReceives(3, receiver.memory(3, 8), 8);
        }

        assertThat(send.execute(0, 9)).isEqualTo(9);

        assertThat(sender.sends().takeSuccesses(1).getFirst().id()).isEqualTo(8);
        for (DatagramEnd receiver : receivers) {
            assertThat(receiver.receives().takeSuccesses(3))
                    .extracting(Completion::id)
                    .containsExactly(0L, 1L, 2L);
        }
        sender.sends().assertSilentFor(quiet());
    }

    @Test
    void requestsChangeTheirReceiverBetweenExecutions() throws Exception {
        DatagramEnd sender = open();
        DatagramEnd first = openBeside(sender);
        DatagramEnd second = openBeside(sender);
        first.postReceives(10, first.memory(10, 0), 0);
        second.postReceives(10, second.memory(10, 0), 0);
        PostSend send = sender.end().prepareSend(new SendShape(SendOpcode.SEND, 0), 1);
        send.request(0).flags(SendFlags.SIGNALED);
        for (int i = 0; i < 20; i++) {
            sender.address(send, i % 2 == 0 ? first : second);
            assertThat(send.execute(0, 1)).isEqualTo(1);
            sender.sends().takeSuccesses(1);
        }

        first.receives().takeSuccesses(10);
        second.receives().takeSuccesses(10);
    }

    @Test
    void reachesItself() throws Exception {
        DatagramEnd end = open();
        MemoryRegion memory = end.memory(2, SLOT);
        Payload.fill(memory.segment(), 0, SLOT, 8);
        end.end().postReceive(1, memory, ROUTE + SLOT, ROUTE + SLOT);

        end.send(2, memory, 0, SLOT, end);

        assertThat(end.receives().takeSuccesses(1).getFirst().sourceQueuePair())
                .isEqualTo(end.queuePair().number());
        end.sends().takeSuccesses(1);
        Payload.assertHolds(memory.segment(), 2 * ROUTE + SLOT, SLOT, 8);
    }

    @Test
    void anAnswerFindsItsWayByTheGlobalRoute() throws Exception {
        DatagramEnd client = open();
        DatagramEnd server = openBeside(client);
        MemoryRegion question = client.memory(1, SLOT);
        MemoryRegion answer = client.memory(1, SLOT);
        MemoryRegion asked = server.memory(1, SLOT);
        Payload.fill(question.segment(), 0, SLOT, 1);
        server.postReceives(1, asked, SLOT);
        client.postReceives(1, answer, SLOT);
        client.send(1, question, 0, SLOT, server);

        Completion received = server.receives().takeSuccesses(1).getFirst();
        skipUnless(received.hasGlobalRoute(), "this device's datagrams have no global route");
        GlobalIdentifier source = GlobalRouteDescriptor.source(asked.segment(), 0);
        assertThat(source).isEqualTo(client.gid());
        assertThat(GlobalRouteDescriptor.destination(asked.segment(), 0)).isEqualTo(server.gid());
        server.send(
                2, asked, ROUTE, SLOT, source, received.sourceQueuePair(), DatagramEnd.QUEUE_KEY);

        assertThat(client.receives().takeSuccesses(1).getFirst().sourceQueuePair())
                .isEqualTo(server.queuePair().number());
        Payload.assertHolds(answer.segment(), ROUTE, SLOT, 1);
    }

    @Test
    void anotherOpeningOfTheDeviceIsReached() throws Exception {
        DatagramEnd sender = open();
        DatagramEnd receiver = open(); // in a context of its own
        MemoryRegion source = sender.memory(1, SLOT);
        MemoryRegion target = receiver.memory(1, SLOT);
        Payload.fill(source.segment(), 0, SLOT, 6);
        receiver.postReceives(1, target, SLOT);

        sender.send(1, source, 0, SLOT, receiver);

        receiver.receives().takeSuccesses(1);
        sender.sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), ROUTE, SLOT, 6);
    }

    @Test
    void anAddressHandleKnowsItsAddressAndServesAnyQueuePairOfItsDomain() throws Exception {
        DatagramEnd first = open();
        AddressVector address = Path.toItself(first.context()).vector();
        AddressHandle handle = closing(first.domain().createAddressHandle(address));
        DatagramEnd receiver = openBeside(first);
        receiver.postReceives(2, receiver.memory(2, 0), 0);

        assertThat(handle.address()).isEqualTo(address);
        assertThat(handle.protectionDomain()).isSameAs(first.domain());
        PostSend send = first.end().prepareSend(new SendShape(SendOpcode.SEND, 0), 2);
        for (int i = 0; i < 2; i++) {
            send.request(i)
                    .flags(SendFlags.SIGNALED)
                    .datagram(handle, receiver.queuePair().number(), DatagramEnd.QUEUE_KEY);
        }
        assertThat(send.execute(0, 2)).isEqualTo(2);

        receiver.receives().takeSuccesses(2);
        first.sends().takeSuccesses(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDatagramWakesAReceiverThatSleeps(boolean solicitedOnly) throws Exception {
        assume(Capability.COMPLETION_CHANNEL);
        DatagramEnd sender = open();
        PairOptions withChannel =
                PairOptions.defaults().withLayout(CompletionLayout.SEPARATE_WITH_CHANNEL);
        DatagramEnd receiver = closing(DatagramEnd.open(sender.context(), withChannel, patience()));
        receiver.postReceives(2, receiver.memory(2, 0), 0);
        receiver.end().receiveQueue().requestNotification(solicitedOnly);
        var channel = receiver.end().channel();
        assertThat(channel.awaitEvent(quiet().toNanos())).isNull();

        PostSend send = sender.end().prepareSend(new SendShape(SendOpcode.SEND, 0), 1);
        send.request(0).flags(SendFlags.SIGNALED);
        sender.address(send, receiver);
        assertThat(send.execute(0, 1)).isEqualTo(1);
        if (solicitedOnly) {
            receiver.receives().takeSuccesses(1);
            assertThat(channel.awaitEvent(quiet().toNanos())).isNull();
            send.flags(SendFlags.SIGNALED | SendFlags.SOLICITED);
            assertThat(send.execute(0, 1)).isEqualTo(1);
        }

        assertThat(channel.awaitEvent(patience().toNanos()))
                .isSameAs(receiver.end().receiveQueue());
        receiver.receives().takeSuccesses(1);
    }
}
