package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// How RDMA WRITE and RDMA READ fail: a peer's memory is reached with the right key, inside its
/// bounds and as its owner allowed it, or not at all.
public abstract class OneSidedErrorContract extends VerbsContract {
    private static final int LENGTH = 4096;
    private static final byte GUARD = 0x5a;

    @BeforeEach
    final void requireCapability() {
        assume(Capability.ONE_SIDED);
    }

    /// Where a request goes astray, from a region of [#LENGTH] bytes.
    enum Mistake {
        ONE_BYTE_BEYOND(1, LENGTH),
        ONE_BYTE_BEFORE(-1, 8),
        JUST_BEHIND(LENGTH, 1),
        FAR_BEHIND(1L << 40, 8),
        ADDRESS_THAT_WRAPS(-1L >>> 1, 64);

        private final long offset;
        private final int length;

        Mistake(long offset, int length) {
            this.offset = offset;
            this.length = length;
        }
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(Mistake.values())
                .flatMap(mistake ->
                        Stream.of(SendOpcode.RDMA_WRITE, SendOpcode.RDMA_READ)
                                .flatMap(opcode ->
                                        Stream.of(MemoryKind.values())
                                                .map(kind -> Arguments.of(mistake, opcode, kind))));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void isRefusedOutOfBounds(Mistake mistake, SendOpcode opcode, MemoryKind kind)
            throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion remote = pair.right().memory(kind, LENGTH);

        assertRemoteAccessError(
                pair,
                opcode,
                remote,
                mistake.length,
                remote.address() + mistake.offset,
                remote.remoteKey());
    }

    @ParameterizedTest
    @EnumSource(
            value = SendOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ"})
    void isRefusedWithAWrongKey(SendOpcode opcode) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion remote = pair.right().memory(LENGTH);

        assertRemoteAccessError(
                pair, opcode, remote, 64, remote.address(), remote.remoteKey() ^ 0x5a5a5a5a);
    }

    @ParameterizedTest
    @EnumSource(
            value = SendOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ"})
    void isRefusedWithTheKeyOfAClosedRegion(SendOpcode opcode) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion remote = pair.right().memory(LENGTH);
        MemoryRegion closed = pair.right().memory(MemoryKind.REGISTERED, LENGTH);
        long address = closed.address();
        int key = closed.remoteKey();
        closed.close();

        assertRemoteAccessError(pair, opcode, remote, 64, address, key);
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void writingNeedsRemoteWrite(MemoryKind kind) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion remote =
                pair.right()
                        .memory(
                                kind,
                                LENGTH,
                                EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ));

        assertRemoteAccessError(
                pair, SendOpcode.RDMA_WRITE, remote, 64, remote.address(), remote.remoteKey());
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void readingNeedsRemoteRead(MemoryKind kind) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion remote =
                pair.right()
                        .memory(
                                kind,
                                LENGTH,
                                EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE));

        assertRemoteAccessError(
                pair, SendOpcode.RDMA_READ, remote, 64, remote.address(), remote.remoteKey());
    }

    @ParameterizedTest
    @EnumSource(
            value = SendOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ"})
    void memoryOfAnotherDomainIsOutOfReach(SendOpcode opcode) throws Exception {
        ConnectedPair pair = connect();
        Context context = pair.right().context();
        try (ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion foreign = domain.allocate(LENGTH, pair.right().fullAccess())) {
            assertRemoteAccessError(
                    pair, opcode, foreign, 64, foreign.address(), foreign.remoteKey());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SendOpcode.class,
            names = {"RDMA_WRITE", "RDMA_READ"})
    void theQueuePairMustAllowIt(SendOpcode opcode) throws Exception {
        assume(Capability.QUEUE_PAIR_MODIFY);
        skipUnless(pairing() == Pairing.MODIFY, "the connection manager sets access flags itself");
        ConnectedPair pair = connect();
        MemoryRegion remote = pair.right().memory(LENGTH);
        pair.left().queuePair().modify(QueuePairAttributes.to(QueuePairState.RESET));
        pair.right().queuePair().modify(QueuePairAttributes.to(QueuePairState.RESET));
        connectWithoutRemoteAccess(pair);

        assertRefused(
                pair,
                opcode,
                remote,
                64,
                remote.address(),
                remote.remoteKey(),
                // The specification allows either: an operation the queue pair does not take is
                // an invalid request, too, and so Soft-RoCE reports it.
                EnumSet.of(
                        CompletionStatus.REMOTE_ACCESS_ERROR,
                        CompletionStatus.REMOTE_INVALID_REQUEST_ERROR));
    }

    private static void connectWithoutRemoteAccess(ConnectedPair pair) throws Exception {
        Path toRight = pair.pathToRight();
        Path toLeft = pair.pathToLeft();
        pair.left().queuePair().modify(toRight.toInit(pair.left().fullAccess()));
        pair.right().queuePair().modify(toLeft.toInit(EnumSet.of(AccessFlag.LOCAL_WRITE)));
        int left = pair.left().queuePair().number();
        int right = pair.right().queuePair().number();
        pair.left().queuePair().modify(toRight.toReadyToReceive(right, 20));
        pair.right().queuePair().modify(toLeft.toReadyToReceive(left, 10));
        pair.left().queuePair().modify(QueuePairAttributes.toReadyToSend(10));
        pair.right().queuePair().modify(QueuePairAttributes.toReadyToSend(20));
    }

    private void assertRemoteAccessError(
            ConnectedPair pair,
            SendOpcode opcode,
            MemoryRegion remote,
            int length,
            long address,
            int key)
            throws Exception {
        assertRefused(
                pair,
                opcode,
                remote,
                length,
                address,
                key,
                EnumSet.of(CompletionStatus.REMOTE_ACCESS_ERROR));
    }

    /// The request fails, its queue pair with it, and neither end's memory has changed.
    private void assertRefused(
            ConnectedPair pair,
            SendOpcode opcode,
            MemoryRegion remote,
            int length,
            long address,
            int key,
            Set<CompletionStatus> allowed)
            throws Exception {
        MemoryRegion local = pair.left().memory(LENGTH + 64);
        local.segment().fill((byte) 1);
        remote.segment().fill(GUARD);

        OneSided.post(pair.left(), opcode, 1, local, length, address, key);
        pair.left().postSend(2, local, 0, 8, io.rdmanet.verbs.SendFlags.NONE);

        Completion failed = pair.left().sends().take();
        assertThat(failed.id()).isEqualTo(1);
        assertThat(failed.status()).isIn(orUnanswered(allowed));
        Completion flushed = pair.left().sends().take();
        assertThat(flushed.id()).isEqualTo(2);
        assertThat(flushed.status()).isEqualTo(CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
        pair.left().awaitState(QueuePairState.ERROR);
        Payload.assertUntouched(remote.segment(), 0, LENGTH, GUARD);
        Payload.assertUntouched(local.segment(), 0, LENGTH, (byte) 1);
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void readingToMemoryNeedsLocalWrite(MemoryKind kind) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion readOnly = pair.left().memory(kind, LENGTH, EnumSet.noneOf(AccessFlag.class));
        readOnly.segment().fill(GUARD);
        MemoryRegion remote = pair.right().memory(LENGTH);
        try {
            OneSided.read(pair.left(), 1, readOnly, 64, remote.address(), remote.remoteKey());
        } catch (IllegalArgumentException | VerbsException refused) {
            return; // refused before it is posted: as good
        }

        assertThat(pair.left().sends().take().status())
                .isIn(CompletionStatus.LOCAL_PROTECTION_ERROR, CompletionStatus.LOCAL_ACCESS_ERROR);
        pair.left().awaitState(QueuePairState.ERROR);
        Payload.assertUntouched(readOnly.segment(), 0, LENGTH, GUARD);
    }

    @Test
    void theBoundsAreReached() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion local = pair.left().memory(LENGTH);
        MemoryRegion remote = pair.right().memory(LENGTH);
        Payload.fill(local.segment(), 0, LENGTH, 1);

        OneSided.write(pair.left(), 1, local, LENGTH, remote.address(), remote.remoteKey());
        OneSided.write(pair.left(), 2, local, 1, remote.address() + LENGTH - 1, remote.remoteKey());
        OneSided.write(pair.left(), 3, local, 0, remote.address() + LENGTH, remote.remoteKey());

        pair.left().sends().takeSuccesses(3);
        assertThat(remote.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, LENGTH - 1))
                .isEqualTo(local.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0));
    }
}
