package io.rdmanet.tck;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.VerbsException;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Compare-and-swap and fetch-and-add on a peer's memory.
public abstract class AtomicContract extends VerbsContract {
    private static final int ADDS = 2_000;

    @BeforeEach
    final void requireCapability() {
        assume(Capability.ATOMICS);
    }

    static Stream<Arguments> kinds() {
        return Stream.of(MemoryKind.values())
                .flatMap(local ->
                        Stream.of(MemoryKind.values()).map(remote -> Arguments.of(local, remote)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void swapsWhatComparesEqual(MemoryKind local, MemoryKind remote) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion former = pair.left().memory(local, 8);
        MemoryRegion target = pair.right().memory(remote, 24);
        long old = 0x0123_4567_89ab_cdefL;
        target.segment().set(JAVA_LONG, 8, old);

        OneSided.compareAndSwap(
                pair.left(), 1, former, target.address() + 8, target.remoteKey(), old, -2);

        Completion done = pair.left().sends().takeSuccesses(1).getFirst();
        assertThat(done.opcode()).isEqualTo(CompletionOpcode.COMPARE_AND_SWAP);
        assertThat(done.byteLength()).isEqualTo(8);
        assertThat(former.segment().get(JAVA_LONG, 0)).isEqualTo(old);
        assertThat(target.segment().get(JAVA_LONG, 8)).isEqualTo(-2);
        assertThat(target.segment().get(JAVA_LONG, 0)).isZero();
        assertThat(target.segment().get(JAVA_LONG, 16)).isZero();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void leavesWhatDoesNotCompareEqual(MemoryKind local, MemoryKind remote) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion former = pair.left().memory(local, 8);
        MemoryRegion target = pair.right().memory(remote, 8);
        target.segment().set(JAVA_LONG, 0, 5);

        OneSided.compareAndSwap(pair.left(), 1, former, target.address(), target.remoteKey(), 6, 7);

        pair.left().sends().takeSuccesses(1); // the operation succeeded, the comparison did not
        assertThat(former.segment().get(JAVA_LONG, 0)).isEqualTo(5);
        assertThat(target.segment().get(JAVA_LONG, 0)).isEqualTo(5);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void addsAndWrapsAround(MemoryKind local, MemoryKind remote) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion former = pair.left().memory(local, 8);
        MemoryRegion target = pair.right().memory(remote, 8);
        target.segment().set(JAVA_LONG, 0, Long.MAX_VALUE);
        long expected = Long.MAX_VALUE;

        for (long addend : new long[] {1, -1, 0, Long.MIN_VALUE, 12345678901L}) {
            OneSided.fetchAndAdd(
                    pair.left(), 1, former, target.address(), target.remoteKey(), addend);

            assertThat(pair.left().sends().takeSuccesses(1).getFirst().opcode())
                    .isEqualTo(CompletionOpcode.FETCH_AND_ADD);
            assertThat(former.segment().get(JAVA_LONG, 0)).isEqualTo(expected);
            expected += addend;
            assertThat(target.segment().get(JAVA_LONG, 0)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void addsOfTwoQueuePairsSumUp(MemoryKind kind) throws Exception {
        ConnectedPair first = connect();
        ConnectedPair second = connectBeside(first);
        MemoryRegion counter = first.right().memory(kind, 8);
        MemoryRegion former = first.left().memory(16);
        PostSend ones = adding(first.left(), former, 0, counter, 1);
        PostSend thousands = adding(second.left(), former, 8, counter, 1000);
        Running<Void> running = start("adder", () -> addMany(first.left(), thousands));

        addMany(first.left(), ones);
        running.join();

        first.left().sends().takeSuccesses(2 * ADDS);
        assertThat(counter.segment().get(JAVA_LONG, 0)).isEqualTo(1001L * ADDS);
    }

    private static PostSend adding(
            PairEnd end, MemoryRegion former, long offset, MemoryRegion counter, long addend)
            throws Exception {
        PostSend send = end.prepareSend(SendOpcode.ATOMIC_FETCH_AND_ADD, 1);
        send.request(0)
                .flags(SendFlags.SIGNALED)
                .scatterGather(0, former, offset, Long.BYTES)
                .remote(counter.address(), counter.remoteKey())
                .fetchAndAdd(addend);
        return send;
    }

    /// Both queue pairs share a completion queue, so one thread at a time polls it.
    private Void addMany(PairEnd polled, PostSend send) throws Exception {
        for (int i = 0; i < ADDS; i++) {
            assertThat(
                            Waiting.until(
                                    patience(),
                                    () -> {
                                        if (send.execute(0, 1) == 1) {
                                            return true;
                                        }
                                        synchronized (polled) {
                                            polled.sends().gather();
                                        }
                                        return false;
                                    }))
                    .isTrue();
        }
        return null;
    }

    @ParameterizedTest
    @EnumSource(
            value = SendOpcode.class,
            names = {"ATOMIC_COMPARE_AND_SWAP", "ATOMIC_FETCH_AND_ADD"})
    void refusesAddressesThatAreNoMultipleOfEight(SendOpcode opcode) throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion former = pair.left().memory(8);
        MemoryRegion target = pair.right().memory(64);
        try {
            post(pair.left(), opcode, former, target.address() + 4, target.remoteKey());
        } catch (IllegalArgumentException refused) {
            pair.left().sends().assertSilentFor(quiet());
            return; // refused before it is posted: as the SPI wants it
        }

        assertThat(pair.left().sends().take().status())
                .isIn(
                        orUnanswered(
                                EnumSet.of(
                                        CompletionStatus.REMOTE_INVALID_REQUEST_ERROR,
                                        CompletionStatus.REMOTE_ACCESS_ERROR)));
        Payload.assertUntouched(target.segment(), 0, 64, (byte) 0);
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void needsRemoteAtomic(MemoryKind kind) throws Exception {
        for (SendOpcode opcode :
                new SendOpcode[] {
                    SendOpcode.ATOMIC_COMPARE_AND_SWAP, SendOpcode.ATOMIC_FETCH_AND_ADD
                }) {
            ConnectedPair pair = connect();
            MemoryRegion former = pair.left().memory(8);
            MemoryRegion target =
                    pair.right()
                            .memory(
                                    kind,
                                    8,
                                    EnumSet.of(
                                            AccessFlag.LOCAL_WRITE,
                                            AccessFlag.REMOTE_WRITE,
                                            AccessFlag.REMOTE_READ));

            post(pair.left(), opcode, former, target.address(), target.remoteKey());

            assertRemoteAccessError(pair, target);
        }
    }

    @Test
    void isRefusedOutOfBounds() throws Exception {
        for (long offset : new long[] {-8, 64, 1L << 40}) {
            ConnectedPair pair = connect();
            MemoryRegion former = pair.left().memory(8);
            MemoryRegion target = pair.right().memory(64);

            post(
                    pair.left(),
                    SendOpcode.ATOMIC_FETCH_AND_ADD,
                    former,
                    target.address() + offset,
                    target.remoteKey());

            assertRemoteAccessError(pair, target);
        }
    }

    @Test
    void isRefusedWhereOnlyPartOfTheNumberLiesInside() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion former = pair.left().memory(8);
        MemoryRegion target = pair.right().memory(60);

        post(
                pair.left(),
                SendOpcode.ATOMIC_FETCH_AND_ADD,
                former,
                target.address() + 56,
                target.remoteKey());

        assertRemoteAccessError(pair, target);
    }

    private static void assertRemoteAccessError(ConnectedPair pair, MemoryRegion target)
            throws Exception {
        assertThat(pair.left().sends().take().status())
                .isIn(orUnanswered(EnumSet.of(CompletionStatus.REMOTE_ACCESS_ERROR)));
        pair.left().awaitState(QueuePairState.ERROR);
        Payload.assertUntouched(target.segment(), 0, target.length(), (byte) 0);
    }

    @Test
    void theFormerValueNeedsLocalWrite() throws Exception {
        ConnectedPair pair = connect();
        MemoryRegion readOnly =
                pair.left().memory(MemoryKind.ALLOCATED, 8, EnumSet.noneOf(AccessFlag.class));
        MemoryRegion target = pair.right().memory(8);
        try {
            post(
                    pair.left(),
                    SendOpcode.ATOMIC_FETCH_AND_ADD,
                    readOnly,
                    target.address(),
                    target.remoteKey());
        } catch (IllegalArgumentException | VerbsException refused) {
            return; // refused before it is posted: as good
        }

        assertThat(pair.left().sends().take().status())
                .isIn(CompletionStatus.LOCAL_PROTECTION_ERROR, CompletionStatus.LOCAL_ACCESS_ERROR);
    }

    private static void post(
            PairEnd end, SendOpcode opcode, MemoryRegion former, long address, int key)
            throws Exception {
        if (opcode == SendOpcode.ATOMIC_COMPARE_AND_SWAP) {
            OneSided.compareAndSwap(end, 1, former, address, key, 0, 1);
        } else {
            OneSided.fetchAndAdd(end, 1, former, address, key, 1);
        }
    }
}
