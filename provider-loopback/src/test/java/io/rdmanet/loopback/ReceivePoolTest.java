package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.ReceivePoolDescriptor;
import io.rdmanet.loopback.ring.Words;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceivePoolTest {
    private static final int ONE = 0x101;
    private static final int OTHER = 0x102;

    private DeviceFixture device;

    @BeforeEach
    void open() throws Exception {
        device = new DeviceFixture();
    }

    @AfterEach
    void close() {
        device.close();
    }

    private ReceivePool pool(int receives) throws Exception {
        return ReceivePool.create(device.context, receives, DeviceFixture.MAX_ELEMENTS);
    }

    private static ReceiveTaker taker(ReceivePool pool) {
        return new ReceiveTaker(pool.memory().segment());
    }

    /// Takes the next receive.
    ///
    /// @return its slot, or -1
    private static int take(ReceiveTaker taker, int queuePairNumber) {
        long word = taker.peek();
        if (word == 0) {
            return -1;
        }
        assertThat(taker.take(word, queuePairNumber)).isTrue();
        return ReceivePoolDescriptor.slot(word);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 8})
    void takesExactlyItsCapacity(int capacity) throws Exception {
        ReceivePool pool = pool(capacity);
        LoopbackPostReceive receive = device.receives(1, capacity + 1);

        assertThat(pool.post(receive, 0, capacity + 1)).isEqualTo(capacity);
        assertThat(pool.post(receive, 0, 1)).isZero();
        assertThat(taker(pool).hasPosted()).isEqualTo(capacity > 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void handsOutInTheOrderOfPostingHoweverSlotsAreFreed(int capacity) throws Exception {
        long seed = 5;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        ReceivePool pool = pool(capacity);
        ReceiveTaker taker = taker(pool);
        LoopbackPostReceive receive = device.receives(1, 1);
        List<Integer> taken = new ArrayList<>();
        long posted = 0;
        long next = 0;
        for (int round = 0; round < 2_000; round++) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    receive.workRequestId(posted);
                    posted += pool.post(receive, 0, 1);
                }
                case 1 -> {
                    int slot = take(taker, ONE);
                    assertThat(slot >= 0).isEqualTo(next < posted);
                    if (slot >= 0) {
                        assertThat(pool.workRequestId(slot)).isEqualTo(next++);
                        assertThat(pool.isTakenBy(ONE, slot)).isTrue();
                        taken.add(slot);
                    }
                }
                default -> {
                    if (!taken.isEmpty()) {
                        Collections.shuffle(taken, random);
                        int slot = taken.removeLast();
                        assertThat(pool.free(slot, pool.ticket(slot))).isTrue();
                    }
                }
            }
            assertThat(posted - next + taken.size()).isLessThanOrEqualTo(capacity);
        }
        assertThat(next).isGreaterThan(100);
    }

    @Test
    void showsTakersTheElements() throws Exception {
        ReceivePool pool = pool(2);
        LoopbackMemoryRegion region = device.region(100);
        LoopbackPostReceive receive = device.receives(2, 1);
        receive.scatterGather(0, region, 1, 0).scatterGather(1, region, 90, 10);
        assertThat(pool.uses(region)).isFalse();

        pool.post(receive, 0, 1);

        assertThat(pool.uses(region)).isTrue();
        ReceiveTaker taker = taker(pool);
        int slot = take(taker, ONE);
        long entry = taker.entry(slot);
        assertThat(Words.intAt(entry + QueuePairDescriptor.RECEIVE_COUNT_OFFSET)).isOne();
        long element = entry + QueuePairDescriptor.ELEMENTS_OFFSET;
        assertThat(Words.longAt(element + QueuePairDescriptor.ELEMENT_OFFSET_OFFSET)).isEqualTo(90);
        assertThat(Words.intAt(element + QueuePairDescriptor.ELEMENT_LENGTH_OFFSET)).isEqualTo(10);
        assertThat(pool.uses(region)).as("until it is polled").isTrue();
        assertThat(pool.free(slot, taker.ticket())).isTrue();
        assertThat(pool.uses(region)).isFalse();
    }

    @Test
    void aTakerThatDiesBeforePushingOnStopsNobody() throws Exception {
        ReceivePool pool = pool(2);
        LoopbackPostReceive receive = device.receives(1, 3);
        pool.post(receive, 0, 2);
        dieTaking(pool, 0);

        assertThat(pool.workRequestId(take(taker(pool), ONE))).isOne();
        assertThat(take(taker(pool), ONE)).isEqualTo(-1);
    }

    @Test
    void norDoesOneWhoseCellIsUsedAgainSince() throws Exception {
        ReceivePool pool = pool(1);
        LoopbackPostReceive receive = device.receives(1, 3);
        pool.post(receive, 0, 1);
        int slot = dieTaking(pool, 0);
        assertThat(pool.free(slot, 1)).isTrue();
        assertThat(pool.post(receive, 1, 1)).isOne();

        assertThat(pool.workRequestId(take(taker(pool), ONE))).isOne();
    }

    /// Takes a receive, and nothing else.
    private static int dieTaking(ReceivePool pool, long position) {
        long cell =
                pool.memory().address()
                        + ReceivePoolDescriptor.FIRST_CELL_OFFSET
                        + position * ReceivePoolDescriptor.CELL_BYTES;
        long word = Words.longAcquire(cell);
        assertThat(
                        Words.compareAndSetLong(
                                cell, word, ReceivePoolDescriptor.taken(position, OTHER)))
                .isTrue();
        return ReceivePoolDescriptor.slot(word);
    }

    @Test
    void knowsWhoHasTakenAReceiveEvenIfItsCellIsUsedAgain() throws Exception {
        ReceivePool pool = pool(2);
        ReceiveTaker taker = taker(pool);
        LoopbackPostReceive receive = device.receives(1, 1);
        pool.post(receive, 0, 1);
        int kept = take(taker, OTHER);
        long ticket = taker.ticket();
        for (int i = 0; i < 5; i++) {
            pool.post(receive, 0, 1);
            int slot = take(taker, ONE);
            assertThat(pool.slotTakenBy(ONE, 0)).isEqualTo(slot);
            assertThat(pool.slotTakenBy(OTHER, 0)).isEqualTo(kept);
            assertThat(pool.slotTakenBy(OTHER, ticket)).isEqualTo(-1);
            assertThat(pool.isTakenBy(ONE, kept)).isFalse();
            assertThat(pool.free(slot, taker.ticket())).isTrue();
        }

        pool.releaseTakenBy(ONE);
        assertThat(pool.ticket(kept)).isEqualTo(ticket);
        pool.releaseTakenBy(OTHER);
        assertThat(pool.ticket(kept)).isZero();
        assertThat(pool.post(receive, 0, 1)).isOne();
    }

    @Test
    void freesASlotForItsOwnReceiveOnly() throws Exception {
        ReceivePool pool = pool(1);
        ReceiveTaker taker = taker(pool);
        LoopbackPostReceive receive = device.receives(1, 1);
        pool.post(receive, 0, 1);
        int slot = take(taker, ONE);
        long former = taker.ticket();
        assertThat(pool.free(slot, former)).isTrue();
        pool.post(receive, 0, 1);

        assertThat(pool.free(slot, former)).isFalse();
        assertThat(pool.post(receive, 0, 1)).as("still occupied").isZero();
    }

    @Test
    void takesNothingTwice() throws Exception {
        ReceivePool pool = pool(2);
        pool.post(device.receives(1, 2), 0, 2);
        ReceiveTaker first = taker(pool);
        ReceiveTaker second = taker(pool);
        long word = first.peek();
        assertThat(second.peek()).isEqualTo(word);

        assertThat(first.take(word, ONE)).isTrue();
        assertThat(second.take(word, OTHER)).isFalse();

        assertThat(pool.workRequestId(take(second, OTHER))).isOne();
    }

    @Test
    void saysOnceThatTheLimitIsReached() throws Exception {
        ReceivePool pool = pool(4);
        ReceiveTaker taker = taker(pool);
        pool.post(device.receives(1, 4), 0, 4);
        pool.arm(2);
        List<Boolean> reached = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            take(taker, ONE);
            reached.add(taker.reachesLimit());
        }

        assertThat(reached).containsExactly(false, false, true, false);
        assertThat(pool.hasReachedLimit()).isTrue();
        assertThat(pool.hasReachedLimit()).isFalse();
    }
}
