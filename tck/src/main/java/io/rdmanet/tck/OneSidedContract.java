package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RDMA WRITE and RDMA READ: what they move and in what order. [OneSidedErrorContract] says how
/// they fail.
public abstract class OneSidedContract extends VerbsContract {
    private static final int[] LENGTHS = {
        0, 1, 7, 8, 63, 64, 65, 255, 256, 1023, 1024, 1025, 4095, 4096, 4097, 65_537, 1 << 20
    };
    private static final int MARGIN = 64;
    private static final int LARGEST = 1 << 20;
    private static final byte GUARD = 0x5a;

    @BeforeEach
    final void requireCapability() {
        assume(Capability.ONE_SIDED);
    }

    static Stream<Arguments> kinds() {
        return Stream.of(MemoryKind.values())
                .flatMap(local ->
                        Stream.of(MemoryKind.values()).map(remote -> Arguments.of(local, remote)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void writesEveryLengthAndNothingBeyond(MemoryKind local, MemoryKind remote) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(local, LARGEST);
        MemoryRegion target = pair.right().memory(remote, LARGEST + 2 * MARGIN);
        for (int length : LENGTHS) {
            Payload.fill(source.segment(), 0, length, length);
            target.segment().asSlice(0, length + 2 * MARGIN).fill(GUARD);

            OneSided.write(
                    pair.left(),
                    length,
                    source,
                    length,
                    target.address() + MARGIN,
                    target.remoteKey());

            Completion done = pair.left().sends().takeSuccesses(1).getFirst();
            assertThat(done.id()).isEqualTo(length);
            assertThat(done.opcode()).isEqualTo(CompletionOpcode.RDMA_WRITE);
            Payload.assertHolds(target.segment(), MARGIN, length, length);
            Payload.assertUntouched(target.segment(), 0, MARGIN, GUARD);
            Payload.assertUntouched(target.segment(), MARGIN + length, MARGIN, GUARD);
        }
        assertThat(pair.right().receives().drain()).as("completions at the target").isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void readsEveryLengthAndNothingBeyond(MemoryKind local, MemoryKind remote) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion target = pair.left().memory(local, LARGEST + MARGIN);
        MemoryRegion source = pair.right().memory(remote, LARGEST + MARGIN);
        for (int length : LENGTHS) {
            Payload.fill(source.segment(), MARGIN, length, length);
            target.segment().asSlice(0, length + MARGIN).fill(GUARD);

            OneSided.read(
                    pair.left(),
                    length,
                    target,
                    length,
                    source.address() + MARGIN,
                    source.remoteKey());

            Completion done = pair.left().sends().takeSuccesses(1).getFirst();
            assertThat(done.opcode()).isEqualTo(CompletionOpcode.RDMA_READ);
            assertThat(done.byteLength()).isEqualTo(length);
            Payload.assertHolds(target.segment(), 0, length, length);
            Payload.assertUntouched(target.segment(), length, MARGIN, GUARD);
        }
    }

    @Test
    void usesNoReceive() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion left = pair.left().memory(64);
        MemoryRegion right = pair.right().memory(128);
        pair.right().postReceive(1, right, 64, 64);

        OneSided.write(pair.left(), 2, left, 64, right.address(), right.remoteKey());
        OneSided.read(pair.left(), 3, left, 64, right.address(), right.remoteKey());
        pair.left().sends().takeSuccesses(2);
        pair.left().postSend(4, left, 0, 64);

        assertThat(pair.right().receives().takeSuccesses(1).getFirst().opcode())
                .isEqualTo(CompletionOpcode.RECEIVE);
        pair.left().sends().takeSuccesses(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 5000})
    void writesWithImmediateDataUseAReceiveUp(int length) throws Exception {
        assume(Capability.IMMEDIATE_DATA);
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(5000);
        MemoryRegion target = pair.right().memory(5000);
        MemoryRegion untouched = pair.right().memory(MARGIN);
        untouched.segment().fill(GUARD);
        Payload.fill(source.segment(), 0, length, 6);
        pair.right().postReceive(1, untouched, 0, MARGIN);
        PostSend send = pair.left().prepareSend(SendOpcode.RDMA_WRITE_WITH_IMMEDIATE, 1);
        send.request(0)
                .workRequestId(2)
                .flags(SendFlags.SIGNALED)
                .immediate(0xcafe0001)
                .scatterGather(0, source, 0, length)
                .remote(target.address(), target.remoteKey());

        assertThat(send.execute(0, 1)).isEqualTo(1);

        Completion received = pair.right().receives().takeSuccesses(1).getFirst();
        assertThat(received.id()).isEqualTo(1);
        assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);
        assertThat(received.immediate()).isEqualTo(0xcafe0001);
        assertThat(received.byteLength()).isEqualTo(length);
        Payload.assertHolds(target.segment(), 0, length, 6);
        Payload.assertUntouched(untouched.segment(), 0, MARGIN, GUARD);
        assertThat(pair.left().sends().takeSuccesses(1).getFirst().opcode())
                .isEqualTo(CompletionOpcode.RDMA_WRITE);
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void gathersForWritesAndScattersForReads(MemoryKind kind) throws Exception {
        int most = Math.min(4, openContext().queryDevice().maxScatterGather());
        ConnectedPair pair = connect(PairOptions.defaults().withScatterGather(most));
        MemoryRegion first = pair.left().memory(kind, 1000);
        MemoryRegion second = pair.left().memory(kind, 1000);
        MemoryRegion remote = pair.right().memory(kind, 1000);
        int part = 33;
        Payload.fill(first.segment(), 0, 1000, 1);
        second.segment().copyFrom(first.segment());
        PostSend write = pair.left().prepareSend(new SendShape(SendOpcode.RDMA_WRITE, most), 1);
        write.request(0).flags(SendFlags.SIGNALED).remote(remote.address(), remote.remoteKey());
        PostSend read = pair.left().prepareSend(new SendShape(SendOpcode.RDMA_READ, most), 1);
        read.request(0).flags(SendFlags.SIGNALED).remote(remote.address(), remote.remoteKey());
        for (int i = 0; i < most; i++) {
            // Alternating regions, each part at the place it has in the whole.
            MemoryRegion region = i % 2 == 0 ? first : second;
            write.scatterGather(i, region, (long) i * part, part);
            read.scatterGather(i, region, (long) i * part, part);
        }

        assertThat(write.execute(0, 1)).isEqualTo(1);
        pair.left().sends().takeSuccesses(1);
        Payload.assertHolds(remote.segment(), 0, (long) most * part, 1);

        Payload.fill(remote.segment(), 0, 1000, 2);
        assertThat(read.execute(0, 1)).isEqualTo(1);
        assertThat(pair.left().sends().takeSuccesses(1).getFirst().byteLength())
                .isEqualTo(most * part);
        byte[] expected = remote.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        for (int i = 0; i < most; i++) {
            MemoryRegion region = i % 2 == 0 ? first : second;
            for (int j = i * part; j < (i + 1) * part; j++) {
                assertThat(region.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, j))
                        .as("byte %d", j)
                        .isEqualTo(expected[j]);
            }
        }
    }

    @Test
    void takesInlineDataToWrite() throws Exception {
        assume(Capability.INLINE_DATA);
        ConnectedPair pair = connect(PairOptions.defaults().withInlineData(32));
        MemoryRegion source = pair.left().memory(32);
        MemoryRegion target = pair.right().memory(32);
        Payload.fill(source.segment(), 0, 32, 3);
        PostSend send = pair.left().prepareSend(SendOpcode.RDMA_WRITE, 1);
        send.request(0)
                .flags(SendFlags.SIGNALED | SendFlags.INLINE)
                .scatterGather(0, source, 0, 32)
                .remote(target.address(), target.remoteKey());

        assertThat(send.execute(0, 1)).isEqualTo(1);
        source.segment().fill(GUARD);

        pair.left().sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), 0, 32, 3);
    }

    @Test
    void takesInlineDataOfNoRegionToWriteAndNoneToRead() throws Exception {
        assume(Capability.UNREGISTERED_INLINE_DATA);
        ConnectedPair pair = connect(PairOptions.defaults().withInlineData(32));
        MemoryRegion target = pair.right().memory(32);
        MemorySegment data = MemorySegment.ofArray(new byte[32]);
        Payload.fill(data, 0, 32, 4);
        PostSend send = pair.left().prepareSend(SendOpcode.RDMA_WRITE, 1);
        send.request(0)
                .flags(SendFlags.SIGNALED | SendFlags.INLINE)
                .inlineData(0, data, 0, 32)
                .remote(target.address(), target.remoteKey());
        PostSend read = pair.left().prepareSend(SendOpcode.RDMA_READ, 1);

        assertThat(send.execute(0, 1)).isEqualTo(1);
        data.fill(GUARD);
        assertThatThrownBy(() -> read.inlineData(0, data, 0, 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RDMA_READ");

        pair.left().sends().takeSuccesses(1);
        Payload.assertHolds(target.segment(), 0, 32, 4);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whatWasWrittenIsThereWhenTheMessageBehindItArrives(MemoryKind local, MemoryKind remote)
            throws Exception {
        ConnectedPair pair = connect();
        int length = 3000;
        MemoryRegion source = pair.left().memory(local, 2L * length);
        MemoryRegion target = pair.right().memory(remote, length);
        MemoryRegion notice = pair.right().memory(64);
        PostSend write = pair.left().prepareSend(SendOpcode.RDMA_WRITE, 1);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);
        send.request(0).flags(SendFlags.SIGNALED).scatterGather(0, source, 0, 8);
        for (int round = 0; round < 500; round++) {
            long offset = (long) (round % 2) * length;
            Payload.fill(source.segment(), offset, length, round);
            pair.right().postReceive(round, notice, 0, 64);
            write.request(0)
                    .scatterGather(0, source, offset, length)
                    .remote(target.address(), target.remoteKey());
            assertThat(write.execute(0, 1)).isEqualTo(1);
            assertThat(send.execute(0, 1)).isEqualTo(1);

            pair.right().receives().takeSuccesses(1);
            Payload.assertHolds(target.segment(), 0, length, round);
            pair.left().sends().takeSuccesses(1);
        }
    }

    @Test
    void aReadSeesTheWriteBeforeIt() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(200);
        MemoryRegion back = pair.left().memory(200);
        MemoryRegion remote = pair.right().memory(200);
        for (int round = 0; round < 100; round++) {
            Payload.fill(source.segment(), 0, 200, round);

            OneSided.write(pair.left(), 1, source, 200, remote.address(), remote.remoteKey());
            OneSided.read(pair.left(), 2, back, 200, remote.address(), remote.remoteKey());

            pair.left().sends().takeSuccesses(2);
            Payload.assertHolds(back.segment(), 0, 200, round);
        }
    }

    @Test
    void aFencedSendCarriesWhatTheReadBeforeItBrought() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion relay = pair.left().memory(1000);
        MemoryRegion remote = pair.right().memory(1000);
        MemoryRegion returned = pair.right().memory(1000);
        for (int round = 0; round < 100; round++) {
            Payload.fill(remote.segment(), 0, 1000, round);
            pair.right().postReceive(1, returned, 0, 1000);

            OneSided.read(pair.left(), 2, relay, 1000, remote.address(), remote.remoteKey());
            pair.left().postSend(3, relay, 0, 1000, SendFlags.SIGNALED | SendFlags.FENCE);

            pair.right().receives().takeSuccesses(1);
            Payload.assertHolds(returned.segment(), 0, 1000, round);
            pair.left().sends().takeSuccesses(2);
        }
    }

    @Test
    void completesMixedWorkInOrder() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion local = pair.left().memory(64);
        MemoryRegion remote = pair.right().memory(128);
        for (int round = 0; round < 100; round++) {
            pair.right().postReceive(1, remote, 64, 64);
            OneSided.read(pair.left(), 1, local, 64, remote.address(), remote.remoteKey());
            OneSided.write(pair.left(), 2, local, 8, remote.address(), remote.remoteKey());
            pair.left().postSend(3, local, 0, 8);
            OneSided.read(pair.left(), 4, local, 8, remote.address(), remote.remoteKey());

            assertThat(pair.left().sends().takeSuccesses(4))
                    .extracting(Completion::id)
                    .containsExactly(1L, 2L, 3L, 4L);
            pair.right().receives().takeSuccesses(1);
        }
    }

    @Test
    void reachesBothWaysAtOnce() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion left = pair.left().memory(4096);
        MemoryRegion right = pair.right().memory(4096);
        Payload.fill(left.segment(), 0, 1024, 1);
        Payload.fill(right.segment(), 0, 1024, 2);

        OneSided.write(pair.left(), 1, left, 1024, right.address() + 1024, right.remoteKey());
        OneSided.write(pair.right(), 2, right, 1024, left.address() + 1024, left.remoteKey());

        pair.left().sends().takeSuccesses(1);
        pair.right().sends().takeSuccesses(1);
        Payload.assertHolds(right.segment(), 1024, 1024, 1);
        Payload.assertHolds(left.segment(), 1024, 1024, 2);
    }
}
