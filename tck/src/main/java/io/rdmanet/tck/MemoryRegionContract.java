package io.rdmanet.tck;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of [MemoryRegion], and of making them.
public abstract class MemoryRegionContract extends VerbsContract {
    private static final long PAGE = 4096;
    private static final Set<AccessFlag> LOCAL = EnumSet.of(AccessFlag.LOCAL_WRITE);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 63, 64, 4095, 4096, 4097, 1 << 20})
    void registersTheCallersMemoryOfAnyLength(long length) throws Exception {
        ProtectionDomain domain = openDomain();
        MemorySegment memory = openArena().allocate(length);

        MemoryRegion region = closing(domain.register(memory, LOCAL));

        assertThat(region.length()).isEqualTo(length);
        assertThat(region.segment().byteSize()).isEqualTo(length);
        assertThat(region.segment().address()).isEqualTo(memory.address());
        assertThat(region.access()).isEqualTo(LOCAL);
        assertThat(region.protectionDomain()).isSameAs(domain);
    }

    @Test
    void registersUnalignedSlices() throws Exception {
        ProtectionDomain domain = openDomain();
        MemorySegment slice = openArena().allocate(100).asSlice(3, 33);

        MemoryRegion region = closing(domain.register(slice, LOCAL));

        region.segment().fill((byte) 7);
        Payload.assertUntouched(slice, 0, 33, (byte) 7);
    }

    @Test
    void leavesRegisteredMemoryToItsOwner() throws Exception {
        ProtectionDomain domain = openDomain();
        MemorySegment memory = openArena().allocate(64);
        MemoryRegion region = closing(domain.register(memory, LOCAL));
        Payload.fill(memory, 0, 64, 1);

        region.close();

        Payload.assertHolds(memory, 0, 64, 1);
    }

    @Test
    void registersTheSameMemoryTwice() throws Exception {
        ProtectionDomain domain = openDomain();
        MemorySegment memory = openArena().allocate(4096);

        MemoryRegion first = closing(domain.register(memory, LOCAL));
        MemoryRegion second = closing(domain.register(memory.asSlice(0, 64), LOCAL));
        first.close();

        assertThat(second.segment().get(JAVA_BYTE, 0)).isZero();
    }

    @Test
    void refusesMemoryOnTheHeap() throws Exception {
        ProtectionDomain domain = openDomain();

        assertThatThrownBy(() -> domain.register(MemorySegment.ofArray(new byte[64]), LOCAL))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesEmptyMemory() throws Exception {
        ProtectionDomain domain = openDomain();
        MemorySegment empty = openArena().allocate(64).asSlice(0, 0);

        assertThatThrownBy(() -> domain.register(empty, LOCAL))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> domain.allocate(0, LOCAL))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> domain.allocate(-1, LOCAL))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = AccessFlag.class,
            names = {"REMOTE_WRITE", "REMOTE_ATOMIC"})
    void refusesRemoteChangesWithoutLocalWrite(AccessFlag flag) throws Exception {
        ProtectionDomain domain = openDomain();
        MemorySegment memory = openArena().allocate(64);

        assertThatThrownBy(() -> domain.register(memory, EnumSet.of(flag)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> domain.allocate(64, EnumSet.of(flag)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void takesMemoryThatNobodyButItsOwnerMayChange() throws Exception {
        ProtectionDomain domain = openDomain();

        MemoryRegion region = closing(domain.allocate(64, EnumSet.noneOf(AccessFlag.class)));

        assertThat(region.access()).isEmpty();
        region.segment().set(JAVA_BYTE, 63, (byte) 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 63, 4096, 4097, 3 << 20})
    void allocatesZeroedPages(long length) throws Exception {
        ProtectionDomain domain = openDomain();
        for (int round = 0; round < 3; round++) { // the second may get the first one's memory
            MemoryRegion region = closing(domain.allocate(length, LOCAL));

            assertThat(region.length()).isEqualTo(length);
            assertThat(region.segment().byteSize()).isEqualTo(length);
            assertThat(region.segment().address() % PAGE).as("offset in page").isZero();
            assertThat(region.segment().mismatch(MemorySegment.ofArray(new byte[(int) length])))
                    .as("first byte that is not 0")
                    .isEqualTo(-1);
            region.segment().fill((byte) 0xff);
            region.close();
        }
    }

    @Test
    void allocatedMemoryDiesWithTheRegion() throws Exception {
        MemoryRegion region = openDomain().allocate(64, LOCAL);
        MemorySegment segment = region.segment();

        region.close();

        assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void keysOfOpenRegionsDiffer() throws Exception {
        ProtectionDomain domain = openDomain();
        Set<Integer> localKeys = new HashSet<>();
        Set<Integer> remoteKeys = new HashSet<>();

        for (int i = 0; i < 50; i++) {
            MemoryRegion region =
                    closing(
                            domain.allocate(
                                    64,
                                    EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ)));
            localKeys.add(region.localKey());
            remoteKeys.add(region.remoteKey());
        }

        assertThat(localKeys).hasSize(50);
        assertThat(remoteKeys).hasSize(50);
    }

    @Test
    void allocatesTwoGigabytesAndMore() throws Exception {
        assume(Capability.LARGE_REGIONS);
        skipUnless(
                Boolean.getBoolean("rdmanet.tck.large"),
                "regions over 2 GiB are tested with -Drdmanet.tck.large=true only");
        long length = (1L << 31) + PAGE;
        ConnectedPair pair = connect();
        MemoryRegion source = pair.left().memory(64);
        MemoryRegion large = pair.right().memory(length);
        Payload.fill(source.segment(), 0, 64, 1);

        pair.right().postReceive(1, large, length - 64, 64);
        pair.left().postSend(2, source, 0, 64);

        pair.right().receives().takeSuccesses(1);
        Payload.assertHolds(large.segment(), length - 64, 64, 1);
        pair.left().sends().takeSuccesses(1);
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void refusesToCloseWhileAReceiveNamesIt(MemoryKind kind) throws Exception {
        ConnectedPair pair = connect();
        PairEnd end = pair.right();
        MemoryRegion region = end.memory(kind, 64);
        end.postReceive(1, region, 0, 64);

        assertThatThrownBy(region::close).isInstanceOf(IllegalStateException.class);

        Payload.fill(region.segment(), 0, 64, 3); // still there
        end.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        end.receives().take(1);
        region.close();
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void refusesToCloseWhileASendNamesIt(MemoryKind kind) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion region = pair.left().memory(kind, 64);
        pair.left().postSend(1, region, 0, 64); // waits, as no receive is posted

        assertThatThrownBy(region::close).isInstanceOf(IllegalStateException.class);

        pair.right().postReceive(1, pair.right().memory(64), 0, 64);
        pair.left().sends().takeSuccesses(1);
        pair.right().receives().takeSuccesses(1);
        region.close();
    }

    @Test
    void closesOnceTheQueuePairIsGone() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion region = pair.right().memory(64);
        pair.right().postReceive(1, region, 0, 64);

        pair.right().queuePair().close();

        region.close();
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void closesAnyNumberOfTimes(MemoryKind kind) throws Exception {
        ProtectionDomain domain = openDomain();
        MemoryRegion region = kind.create(domain, openArena(), 64, LOCAL);

        region.close();
        region.close();
        domain.close();
    }

    @Test
    void isOutOfReachOfSendsAfterItWasClosed() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion region = pair.left().memory(64);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);
        send.request(0).scatterGather(0, region, 0, 64); // while it is open
        pair.right().postReceive(1, pair.right().memory(64), 0, 64);
        region.close();

        try {
            send.execute(0, 1);
        } catch (IllegalStateException | IllegalArgumentException | VerbsException refused) {
            return; // refused before it is posted: as good
        }

        assertThat(pair.left().sends().take().status())
                .isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
        pair.right().receives().assertSilentFor(quiet());
    }

    @Test
    void isOutOfReachOfReceivesAfterItWasClosed() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion region = pair.right().memory(64);
        PostReceive receive = pair.right().prepareReceive(1, 1);
        receive.request(0).scatterGather(0, region, 0, 64); // while it is open
        region.close();
        try {
            receive.execute(0, 1);
        } catch (IllegalStateException | IllegalArgumentException | VerbsException refused) {
            return; // refused before it is posted: as good
        }

        pair.left().postSend(1, pair.left().memory(64), 0, 64);

        assertThat(pair.left().sends().take().succeeded()).isFalse();
        assertThat(pair.right().receives().take().status())
                .isIn(
                        CompletionStatus.LOCAL_PROTECTION_ERROR,
                        CompletionStatus.LOCAL_ACCESS_ERROR,
                        CompletionStatus.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
    }

    @Test
    void isNotTakenByPreparedCallsAfterItWasClosed() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion region = pair.left().memory(64);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);
        region.close();

        try {
            send.request(0).scatterGather(0, region, 0, 64);
            send.execute(0, 1);
        } catch (IllegalStateException | IllegalArgumentException | VerbsException refused) {
            return; // refused before it is posted: as good
        }

        assertThat(pair.left().sends().take().status())
                .isEqualTo(CompletionStatus.LOCAL_PROTECTION_ERROR);
    }

    private ProtectionDomain openDomain() throws Exception {
        return closing(openContext().allocateProtectionDomain());
    }
}
