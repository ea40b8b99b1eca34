package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What SEND carries: any length, any split into scatter/gather elements, immediate data, inline
/// data; from and to both kinds of memory.
public abstract class SendReceiveContract extends VerbsContract {
    private static final byte GUARD = 0x5a;
    private static final int MARGIN = 64;
    private static final int ONE_MEBIBYTE = 1 << 20;

    @ParameterizedTest
    @CsvSource({
        "ALLOCATED, ALLOCATED",
        "ALLOCATED, REGISTERED",
        "REGISTERED, ALLOCATED",
        "REGISTERED, REGISTERED"
    })
    void deliversEveryLengthAndNothingBeyond(MemoryKind from, MemoryKind to) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(from, ONE_MEBIBYTE);
        MemoryRegion target = pair.right().memory(to, ONE_MEBIBYTE + MARGIN);
        long seed = 0;
        for (int length : lengths()) {
            Payload.fill(source.segment(), 0, length, ++seed);
            target.segment().asSlice(0, length + MARGIN).fill(GUARD);

            pair.right().postReceive(2 * seed, target, 0, ONE_MEBIBYTE);
            pair.left().postSend(2 * seed + 1, source, 0, length);

            Completion received = pair.right().receives().take();
            assertThat(received.succeeded()).as("%s", received).isTrue();
            assertThat(received.id()).isEqualTo(2 * seed);
            assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE);
            assertThat(received.byteLength()).isEqualTo(length);
            assertThat(received.immediate()).isNull();
            assertThat(received.queuePairNumber()).isEqualTo(pair.right().queuePair().number());
            Payload.assertHolds(target.segment(), 0, length, seed);
            Payload.assertUntouched(target.segment(), length, MARGIN, GUARD);
            Completion sent = pair.left().sends().take();
            assertThat(sent.succeeded()).as("%s", sent).isTrue();
            assertThat(sent.id()).isEqualTo(2 * seed + 1);
            assertThat(sent.opcode()).isEqualTo(CompletionOpcode.SEND);
            assertThat(sent.queuePairNumber()).isEqualTo(pair.left().queuePair().number());
        }
    }

    /// Both sides of what matters to some device: a cache line, a packet, a page, a segment.
    private static SortedSet<Integer> lengths() {
        SortedSet<Integer> lengths = new TreeSet<>();
        for (int length = 0; length <= 130; length++) {
            lengths.add(length);
        }
        for (int power = 8; power <= 20; power++) {
            lengths.add((1 << power) - 1);
            lengths.add(1 << power);
            lengths.add((1 << power) + 1);
        }
        lengths.add(3 * 4096 + 1000);
        return lengths.headSet(ONE_MEBIBYTE + 1);
    }

    /// A device may have the polling end do a part of the work.
    @ParameterizedTest
    @ValueSource(ints = {32768, 65537, ONE_MEBIBYTE})
    void deliversLongMessagesToAReceiverThatPolls(int length) throws Exception {
        int messages = 8;
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory((long) messages * length);
        MemoryRegion target = pair.right().memory((long) messages * length);
        for (int i = 0; i < messages; i++) {
            Payload.fill(source.segment(), (long) i * length, length, i);
            pair.right().postReceive(i, target, (long) i * length, length);
        }
        Running<Integer> receiver =
                start(
                        "receiver",
                        () -> {
                            for (int i = 0; i < messages; i++) {
                                Completion received = pair.right().receives().take();
                                assertThat(received.succeeded()).as("%s", received).isTrue();
                                assertThat(received.id()).isEqualTo(i);
                                assertThat(received.byteLength()).isEqualTo(length);
                                Payload.assertHolds(target.segment(), (long) i * length, length, i);
                            }
                            return messages;
                        });
        for (int i = 0; i < messages; i++) {
            pair.left().postSend(i, source, (long) i * length, length);
        }
        for (int i = 0; i < messages; i++) {
            assertThat(pair.left().sends().take().succeeded()).isTrue();
        }
        assertThat(receiver.join()).isEqualTo(messages);
    }

    @Test
    void deliversFromAndToAnyOffset() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(512);
        MemoryRegion target = pair.right().memory(512);
        Random random = new Random(11);
        for (int round = 0; round < 300; round++) {
            int length = random.nextInt(200);
            int from = random.nextInt(512 - length);
            int to = random.nextInt(512 - length);
            Payload.fill(source.segment(), from, length, round);
            target.segment().fill(GUARD);

            pair.right().postReceive(round, target, to, length);
            pair.left().postSend(round, source, from, length);

            assertThat(pair.right().receives().takeSuccesses(1).getFirst().byteLength())
                    .isEqualTo(length);
            pair.left().sends().takeSuccesses(1);
            Payload.assertHolds(target.segment(), to, length, round);
            Payload.assertUntouched(target.segment(), 0, to, GUARD);
            Payload.assertUntouched(target.segment(), to + length, 512 - to - length, GUARD);
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void gathersAndScattersUnevenElements(MemoryKind kind) throws Exception {
        int most = maxScatterGather();
        ConnectedPair pair = connect(PairOptions.defaults().withScatterGather(most));
        MemoryRegion source = pair.left().memory(kind, 8192);
        MemoryRegion target = pair.right().memory(kind, 8192);
        MemoryRegion otherSource = pair.left().memory(8192);
        MemoryRegion otherTarget = pair.right().memory(8192);
        Random random = new Random(13);
        for (int sendElements = 0; sendElements <= most; sendElements++) {
            for (int receiveElements = 0; receiveElements <= most; receiveElements++) {
                int total = sendElements == 0 || receiveElements == 0 ? 0 : 777;
                int[] sendSplit = split(total, sendElements, random);
                int[] receiveSplit = split(total, receiveElements, random);
                Scatter from = new Scatter(source, otherSource, sendSplit);
                Scatter to = new Scatter(target, otherTarget, receiveSplit);
                from.fill(total);
                to.clear();
                try (PostReceive receive =
                                pair.right().queuePair().preparePostReceive(receiveElements, 1);
                        PostSend send =
                                pair.left()
                                        .queuePair()
                                        .preparePostSend(
                                                new SendShape(SendOpcode.SEND, sendElements), 1)) {
                    receive.request(0);
                    send.request(0).flags(SendFlags.SIGNALED);
                    for (int i = 0; i < receiveElements; i++) {
                        receive.scatterGather(i, to.region(i), to.offset(i), receiveSplit[i]);
                    }
                    for (int i = 0; i < sendElements; i++) {
                        send.scatterGather(i, from.region(i), from.offset(i), sendSplit[i]);
                    }
                    assertThat(receive.execute(0, 1)).isEqualTo(1);
                    assertThat(send.execute(0, 1)).isEqualTo(1);
                }
                assertThat(pair.right().receives().takeSuccesses(1).getFirst().byteLength())
                        .isEqualTo(total);
                pair.left().sends().takeSuccesses(1);
                to.assertHolds(from);
            }
        }
    }

    private int maxScatterGather() throws Exception {
        return Math.min(8, openContext().queryDevice().maxScatterGather());
    }

    /// Parts of a total, some of them empty.
    private static int[] split(int total, int parts, Random random) {
        int[] lengths = new int[parts];
        int rest = total;
        for (int i = 0; i < parts - 1; i++) {
            lengths[i] = random.nextInt(3) == 0 ? 0 : random.nextInt(rest + 1);
            rest -= lengths[i];
        }
        if (parts > 0) {
            lengths[parts - 1] = rest;
        }
        return lengths;
    }

    /// Elements that alternate between two regions, with gaps.
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Scatter(MemoryRegion even, MemoryRegion odd, int[] lengths) {
        MemoryRegion region(int element) {
            return element % 2 == 0 ? even : odd;
        }

        long offset(int element) {
            return 3 + element * 900L;
        }

        void fill(int total) {
            assertThat(java.util.Arrays.stream(lengths).sum()).isEqualTo(total);
            for (int i = 0; i < lengths.length; i++) {
                Payload.fill(region(i).segment(), offset(i), lengths[i], 100 + i);
            }
        }

        void clear() {
            even.segment().fill(GUARD);
            odd.segment().fill(GUARD);
        }

        byte[] joined() {
            byte[] bytes = new byte[java.util.Arrays.stream(lengths).sum()];
            int position = 0;
            for (int i = 0; i < lengths.length; i++) {
                java.lang.foreign.MemorySegment.copy(
                        region(i).segment(),
                        java.lang.foreign.ValueLayout.JAVA_BYTE,
                        offset(i),
                        bytes,
                        position,
                        lengths[i]);
                position += lengths[i];
            }
            return bytes;
        }

        void assertHolds(Scatter other) {
            assertThat(joined())
                    .as(
                            "%s scattered to %s",
                            java.util.Arrays.toString(other.lengths),
                            java.util.Arrays.toString(lengths))
                    .isEqualTo(other.joined());
            for (int i = 0; i < lengths.length; i++) {
                Payload.assertUntouched(region(i).segment(), offset(i) + lengths[i], MARGIN, GUARD);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x12345678})
    void carriesImmediateData(int immediate) throws Exception {
        assume(Capability.IMMEDIATE_DATA);
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(64);
        MemoryRegion target = pair.right().memory(64);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND_WITH_IMMEDIATE, 1);
        for (int length : new int[] {0, 64}) {
            Payload.fill(source.segment(), 0, length, immediate);
            pair.right().postReceive(1, target, 0, 64);
            send.request(0)
                    .workRequestId(2)
                    .flags(SendFlags.SIGNALED)
                    .immediate(immediate)
                    .scatterGather(0, source, 0, length);
            assertThat(send.execute(0, 1)).isEqualTo(1);

            Completion received = pair.right().receives().takeSuccesses(1).getFirst();
            assertThat(received.immediate()).isEqualTo(immediate);
            assertThat(received.byteLength()).isEqualTo(length);
            assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE);
            Payload.assertHolds(target.segment(), 0, length, immediate);
            Completion sent = pair.left().sends().takeSuccesses(1).getFirst();
            assertThat(sent.opcode()).isEqualTo(CompletionOpcode.SEND);
        }
    }

    @Test
    void changesImmediateDataBetweenExecutions() throws Exception {
        assume(Capability.IMMEDIATE_DATA);
        ConnectedPair pair = connect();
        pair.right().postReceives(20, pair.right().memory(20), 1);
        PostSend send =
                pair.left().prepareSend(new SendShape(SendOpcode.SEND_WITH_IMMEDIATE, 0), 2);
        for (int i = 0; i < 20; i += 2) {
            send.request(0).immediate(i).flags(SendFlags.NONE);
            send.request(1).immediate(i + 1).flags(SendFlags.SIGNALED);
            assertThat(send.execute(0, 2)).isEqualTo(2);
            pair.left().sends().takeSuccesses(1);
        }

        int expected = 0;
        for (Completion received : pair.right().receives().takeSuccesses(20)) {
            assertThat(received.immediate()).isEqualTo(expected++);
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void takesInlineDataWhenItIsPosted(MemoryKind kind) throws Exception {
        assume(Capability.INLINE_DATA);
        ConnectedPair pair = connect(PairOptions.defaults().withInlineData(32));
        int most = pair.left().queuePair().capacity().maxInlineData();
        assertThat(most).isGreaterThanOrEqualTo(32);
        MemoryRegion source = pair.left().memory(kind, most + 1L);
        MemoryRegion target = pair.right().memory(kind, 16L * most);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);
        int[] lengths = {0, 1, 7, 8, 9, 31, 32, most - 1, most};

        for (int i = 0; i < lengths.length; i++) {
            Payload.fill(source.segment(), 0, lengths[i], i);
            send.request(0)
                    .workRequestId(i)
                    .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                    .scatterGather(0, source, 0, lengths[i]);
            assertThat(send.execute(0, 1)).isEqualTo(1); // no receive yet: it has to wait
            source.segment().fill(GUARD); // the buffer is ours again at once
        }
        assertAllArrive(pair, target, lengths, most);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takesInlineDataOfNoRegionWhenItIsPosted(boolean isNative) throws Exception {
        assume(Capability.UNREGISTERED_INLINE_DATA);
        ConnectedPair pair = connect(PairOptions.defaults().withInlineData(mostInlineData()));
        int most = pair.left().queuePair().capacity().maxInlineData();
        int[] lengths = {0, 1, 7, 8, 9, 31, 32, most / 2 - 1, most / 2, most - 1, most};
        MemoryRegion target = pair.right().memory((long) lengths.length * most);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);

        for (int i = 0; i < lengths.length; i++) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment data =
                        isNative
                                ? arena.allocate(most + 3L)
                                : MemorySegment.ofArray(new byte[most + 3]);
                Payload.fill(data, 3, lengths[i], i);
                send.request(0)
                        .workRequestId(i)
                        .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                        .inlineData(0, data, 3, lengths[i]);
                assertThat(send.execute(0, 1)).isEqualTo(1); // no receive yet: it has to wait
                data.fill(GUARD);
            } // and the memory is gone
        }
        assertAllArrive(pair, target, lengths, most);
    }

    /// Posts the receives for messages that wait, each with its number as the seed.
    private static void assertAllArrive(
            ConnectedPair pair, MemoryRegion target, int[] lengths, int most) throws Exception {
        for (int i = 0; i < lengths.length; i++) {
            pair.right().postReceive(i, target, (long) i * most, most);
        }

        for (Completion received : pair.right().receives().takeSuccesses(lengths.length)) {
            int i = (int) received.id();
            assertThat(received.byteLength()).isEqualTo(lengths[i]);
            Payload.assertHolds(target.segment(), (long) i * most, lengths[i], i);
        }
        pair.left().sends().takeSuccesses(lengths.length);
    }

    private int mostInlineData() throws Exception {
        try (Context context = openContext()) {
            return context.queryDevice().maxInlineData();
        }
    }

    /// Also what is long enough for a device to have others copy a part of it.
    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void takesTheMostInlineDataIntoReceivesThatWait(MemoryKind kind) throws Exception {
        assume(Capability.INLINE_DATA);
        ConnectedPair pair = connect(PairOptions.defaults().withInlineData(mostInlineData()));
        int most = pair.left().queuePair().capacity().maxInlineData();
        MemoryRegion source = pair.left().memory(kind, most);
        MemoryRegion target = pair.right().memory(kind, 4L * most);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);
        for (int i = 0; i < 4; i++) {
            pair.right().postReceive(i, target, (long) i * most, most);
            Payload.fill(source.segment(), 0, most, i);
            send.request(0)
                    .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                    .scatterGather(0, source, 0, most);
            assertThat(send.execute(0, 1)).isEqualTo(1);
            source.segment().fill(GUARD);
        }

        pair.right().receives().takeSuccesses(4);
        pair.left().sends().takeSuccesses(4);
        for (int i = 0; i < 4; i++) {
            Payload.assertHolds(target.segment(), (long) i * most, most, i);
        }
    }

    @Test
    void refusesInlineDataThatIsClosedOrAnotherThreadsMemoryAndGoesOn() throws Exception {
        assume(Capability.UNREGISTERED_INLINE_DATA);
        ConnectedPair pair = connect(PairOptions.defaults().withInlineData(32));
        MemoryRegion target = pair.right().memory(8);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);
        pair.right().postReceive(1, target, 0, 8);
        send.request(0).flags(SendFlags.INLINE | SendFlags.SIGNALED);
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(8);
        }
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment foreign = arena.allocate(8);
            Thread other =
                    new Thread(() ->
                            thrown.set(
                                    catchThrowable(() ->
                                            send.inlineData(0, foreign, 0, 8).execute(0, 1))));
            other.start();
            other.join();
        }

        assertThat(thrown.get()).isInstanceOf(WrongThreadException.class);
        assertThatThrownBy(() -> send.inlineData(0, closed, 0, 8).execute(0, 1))
                .isInstanceOf(IllegalStateException.class);
        pair.left().sends().assertSilentFor(quiet());

        MemorySegment data = MemorySegment.ofArray(new byte[8]);
        Payload.fill(data, 0, 8, 5);
        assertThat(send.inlineData(0, data, 0, 8).execute(0, 1)).isEqualTo(1);
        pair.right().receives().takeSuccesses(1);
        pair.left().sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), 0, 8, 5);
    }

    @Test
    void takesInlineDataOfNoRegionWhileAReceiveWaits() throws Exception {
        assume(Capability.UNREGISTERED_INLINE_DATA);
        ConnectedPair pair = connect(PairOptions.defaults().withInlineData(32));
        MemoryRegion target = pair.right().memory(4 * 32);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 4);
        byte[] data = new byte[4 * 32];
        Payload.fill(MemorySegment.ofArray(data), 0, data.length, 8);
        for (int i = 0; i < 4; i++) {
            pair.right().postReceive(i, target, i * 32L, 32);
            send.request(i)
                    .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                    .inlineData(0, MemorySegment.ofArray(data), i * 32L, 32);
        }

        assertThat(send.execute(0, 4)).isEqualTo(4);

        pair.right().receives().takeSuccesses(4);
        pair.left().sends().takeSuccesses(4);
        Payload.assertHolds(target.segment(), 0, data.length, 8);
    }

    @Test
    void keepsWhatWasNotAcceptedAndTakesTurnsWithRegions() throws Exception {
        assume(Capability.UNREGISTERED_INLINE_DATA);
        ConnectedPair pair = connect(PairOptions.ofDepth(2, 8).withInlineData(32));
        MemoryRegion source = pair.left().memory(32);
        MemoryRegion target = pair.right().memory(4 * 32);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 3);
        for (int round = 0; round < 4; round++) {
            int length = 8 << round % 3;
            byte[][] data = new byte[3][length];
            for (int i = 0; i < 3; i++) {
                Payload.fill(MemorySegment.ofArray(data[i]), 0, length, 10L * round + i);
                send.request(i)
                        .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                        .inlineData(0, MemorySegment.ofArray(data[i]), 0, length);
            }
            int sent = send.execute(0, 3); // no receive yet: as many as the queue holds
            assertThat(sent).isPositive();
            for (int i = 0; i < 4; i++) {
                pair.right().postReceive(i, target, i * 32L, 32);
            }
            pair.left().sends().takeSuccesses(sent);
            while (sent < 3) {
                int more = send.execute(sent, 3 - sent);
                pair.left().sends().takeSuccesses(more);
                sent += more;
            }
            Payload.fill(source.segment(), 0, length, 10L * round + 3);
            send.request(0).scatterGather(0, source, 0, length);
            assertThat(send.execute(0, 1)).isEqualTo(1);
            pair.left().sends().takeSuccesses(1);

            for (Completion received : pair.right().receives().takeSuccesses(4)) {
                assertThat(received.byteLength()).isEqualTo(length);
                Payload.assertHolds(
                        target.segment(), received.id() * 32, length, 10L * round + received.id());
            }
        }
    }

    @Test
    void gathersInlineDataOfARegionAndOfNone() throws Exception {
        assume(Capability.UNREGISTERED_INLINE_DATA);
        ConnectedPair pair =
                connect(PairOptions.defaults().withScatterGather(2).withInlineData(24));
        MemoryRegion source = pair.left().memory(24);
        MemoryRegion target = pair.right().memory(24);
        Payload.fill(source.segment(), 0, 24, 9);
        MemorySegment rest =
                MemorySegment.ofArray(new byte[19]).copyFrom(source.segment().asSlice(5, 19));
        PostSend send = pair.left().prepareSend(new SendShape(SendOpcode.SEND, 2), 1);
        pair.right().postReceive(1, target, 0, 24);
        send.request(0)
                .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                .scatterGather(0, source, 0, 5)
                .inlineData(1, rest, 0, 19);

        assertThat(send.execute(0, 1)).isEqualTo(1);

        pair.right().receives().takeSuccesses(1);
        pair.left().sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), 0, 24, 9);
    }

    @Test
    void refusesDataOfNoRegionThatIsNotInlineOrTooMuchOrNotThere() throws Exception {
        assume(Capability.UNREGISTERED_INLINE_DATA);
        ConnectedPair pair = connect(PairOptions.defaults().withInlineData(32));
        int tooMuch = pair.left().queuePair().capacity().maxInlineData() + 1;
        MemorySegment data = MemorySegment.ofArray(new byte[tooMuch]);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);

        assertThatThrownBy(
                        () -> {
                            send.request(0).flags(SendFlags.SIGNALED).inlineData(0, data, 0, 8);
                            send.execute(0, 1);
                        })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("INLINE");
        assertThatThrownBy(
                        () -> {
                            send.request(0)
                                    .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                                    .inlineData(0, data, 0, tooMuch);
                            send.execute(0, 1);
                        })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(tooMuch));
        assertThatThrownBy(() -> send.inlineData(0, data, tooMuch - 7, 8))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> send.inlineData(1, data, 0, 8))
                .isInstanceOf(IndexOutOfBoundsException.class);

        pair.left().sends().assertSilentFor(quiet());
    }

    @Test
    void gathersInlineData() throws Exception {
        assume(Capability.INLINE_DATA);
        ConnectedPair pair =
                connect(PairOptions.defaults().withScatterGather(3).withInlineData(24));
        MemoryRegion source = pair.left().memory(24);
        MemoryRegion target = pair.right().memory(24);
        Payload.fill(source.segment(), 0, 24, 9);
        PostSend send = pair.left().prepareSend(new SendShape(SendOpcode.SEND, 3), 1);
        pair.right().postReceive(1, target, 0, 24);

        send.request(0)
                .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                .scatterGather(0, source, 0, 5)
                .scatterGather(1, source, 5, 0)
                .scatterGather(2, source, 5, 19);
        assertThat(send.execute(0, 1)).isEqualTo(1);
        source.segment().fill(GUARD);

        pair.right().receives().takeSuccesses(1);
        pair.left().sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), 0, 24, 9);
    }

    @Test
    void refusesMoreInlineDataThanAgreed() throws Exception {
        assume(Capability.INLINE_DATA);
        ConnectedPair pair = connect(PairOptions.defaults().withInlineData(32));
        int tooMuch = pair.left().queuePair().capacity().maxInlineData() + 1;
        MemoryRegion source = pair.left().memory(tooMuch);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);

        assertThatThrownBy(
                        () -> {
                            send.request(0)
                                    .flags(SendFlags.INLINE | SendFlags.SIGNALED)
                                    .scatterGather(0, source, 0, tooMuch);
                            send.execute(0, 1);
                        })
                .isInstanceOfAny(IllegalArgumentException.class, VerbsException.class);

        pair.left().sends().assertSilentFor(quiet());
    }
}
