package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.CompletionStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiveQueueTest {
    private static final long SEED = 17;
    private static final int FLUSHED = CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code();

    private DeviceFixture device;
    private MemorySegment memory = MemorySegment.NULL;
    private int slots;

    @BeforeEach
    void open() throws Exception {
        device = new DeviceFixture();
    }

    @AfterEach
    void close() {
        device.close();
    }

    private ReceiveQueue queue(int capacity) {
        slots = QueuePairDescriptor.entries(capacity);
        memory = DeviceFixture.queuePairMemory(slots);
        return new ReceiveQueue(memory, capacity, DeviceFixture.MAX_ELEMENTS);
    }

    private long entry(long position) {
        int stride = QueuePairDescriptor.stride(DeviceFixture.MAX_ELEMENTS);
        return memory.address() + QueuePairDescriptor.RINGS_OFFSET + position % slots * stride;
    }

    private long postedEnd() {
        return Words.longAcquire(memory.address() + QueuePairDescriptor.POSTED_OFFSET);
    }

    /// As the peer does.
    private void complete(long position, int length, int immediate) {
        int stride = QueuePairDescriptor.stride(DeviceFixture.MAX_ELEMENTS);
        long completion =
                memory.address()
                        + QueuePairDescriptor.completionsOffset(slots, stride)
                        + position % slots * QueuePairDescriptor.completionStride(stride);
        Words.setInt(completion + QueuePairDescriptor.COMPLETION_LENGTH_OFFSET, length);
        Words.setInt(
                completion + QueuePairDescriptor.COMPLETION_OUTCOME_OFFSET,
                QueuePairDescriptor.outcome(0, 0, true));
        Words.setInt(completion + QueuePairDescriptor.COMPLETION_IMMEDIATE_OFFSET, immediate);
        Words.setIntRelease(
                completion + QueuePairDescriptor.COMPLETION_SEQUENCE_OFFSET,
                QueuePairDescriptor.sequence(position));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void takesExactlyItsCapacity(int capacity) throws Exception {
        ReceiveQueue queue = queue(capacity);
        LoopbackPostReceive receive = device.receives(1, capacity + 1);

        assertThat(queue.post(receive, 0, capacity + 1)).isEqualTo(capacity);
        assertThat(queue.post(receive, 0, 1)).isZero();
        assertThat(queue.hasOutstanding()).isEqualTo(capacity > 0);
        assertThat(queue.isOutstanding(capacity)).isFalse();
        assertThat(queue.isOutstanding(-1)).isFalse();
        assertThat(queue.isOutstanding(0)).isEqualTo(capacity > 0);
    }

    @Test
    void hasNothingWithoutCapacity() {
        ReceiveQueue queue = queue(0);

        assertThat(queue.poll(device.poll(2), 0, 1)).isZero();
        assertThat(queue.flush(device.poll(2), 0, 1)).isZero();
        assertThat(queue.waitingCompletions(5)).isZero();
    }

    @Test
    void showsThePeerTheElementsThatHaveALength() throws Exception {
        ReceiveQueue queue = queue(1);
        LoopbackMemoryRegion region = device.region(4096);
        LoopbackPostReceive receive = device.receives(3, 1);
        receive.scatterGather(0, region, 1, 0)
                .scatterGather(1, region, 100, 7)
                .scatterGather(2, region, 4095, 1);

        queue.post(receive, 0, 1);

        long entry = entry(0);
        assertThat(postedEnd()).isOne();
        assertThat(Words.intAt(entry + QueuePairDescriptor.RECEIVE_COUNT_OFFSET)).isEqualTo(2);
        assertThat(Words.intAt(entry + QueuePairDescriptor.RECEIVE_FLAGS_OFFSET)).isZero();
        long element = entry + QueuePairDescriptor.ELEMENTS_OFFSET;
        assertThat(Words.longAt(element + QueuePairDescriptor.ELEMENT_OFFSET_OFFSET))
                .isEqualTo(100);
        assertThat(Words.intAt(element + QueuePairDescriptor.ELEMENT_LENGTH_OFFSET)).isEqualTo(7);
        assertThat(Words.intAt(element + QueuePairDescriptor.ELEMENT_KEY_OFFSET))
                .isEqualTo(region.localKey());
        assertThat(queue.uses(region)).isTrue();
    }

    /// An entry is written only where it differs from what it held before, of whatever kind that
    /// was.
    @Test
    void showsThePeerEachReceiveWhateverTheEntryHeldBefore() throws Exception {
        ReceiveQueue queue = queue(1);
        System.out.println("seed " + SEED);
        LoopbackMemoryRegion[] regions = {
            device.region(64), device.region(64), device.unsharedRegion(64)
        };
        LoopbackPostReceive receive = device.receives(DeviceFixture.MAX_ELEMENTS, 1);
        LoopbackPollCompletions poll = device.poll(1);
        Random random = new Random(SEED);
        for (int position = 0; position < 500; position++) {
            List<List<Integer>> expected = new ArrayList<>();
            int flags = 0;
            for (int i = 0; i < DeviceFixture.MAX_ELEMENTS; i++) {
                LoopbackMemoryRegion region = regions[random.nextInt(3)];
                int offset = random.nextInt(2);
                int length = random.nextInt(3);
                receive.scatterGather(i, region, offset, length);
                if (length != 0) {
                    expected.add(List.of(offset, length, region.localKey()));
                    flags |= region.isShared() ? 0 : QueuePairDescriptor.RECEIVE_UNSHARED;
                }
            }

            assertThat(queue.post(receive, 0, 1)).isOne();

            assertThat(elements(position)).as("receive %d", position).isEqualTo(expected);
            assertThat(Words.intAt(entry(position) + QueuePairDescriptor.RECEIVE_FLAGS_OFFSET))
                    .as("flags of receive %d", position)
                    .isEqualTo(flags);
            complete(position, 0, 0);
            assertThat(queue.poll(poll, 0, 1)).isOne();
        }
    }

    private List<List<Integer>> elements(long position) {
        List<List<Integer>> elements = new ArrayList<>();
        int count = Words.intAt(entry(position) + QueuePairDescriptor.RECEIVE_COUNT_OFFSET);
        for (int i = 0; i < count; i++) {
            long element =
                    entry(position)
                            + QueuePairDescriptor.ELEMENTS_OFFSET
                            + (long) i * QueuePairDescriptor.ELEMENT_BYTES;
            elements.add(
                    List.of(
                            (int) Words.longAt(element + QueuePairDescriptor.ELEMENT_OFFSET_OFFSET),
                            Words.intAt(element + QueuePairDescriptor.ELEMENT_LENGTH_OFFSET),
                            Words.intAt(element + QueuePairDescriptor.ELEMENT_KEY_OFFSET)));
        }
        return elements;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void keepsTheOrderOverManyWraps(int capacity) throws Exception {
        ReceiveQueue queue = queue(capacity);
        LoopbackPostReceive receive = device.receives(1, 1);
        LoopbackPollCompletions poll = device.poll(capacity);
        long posted = 0;
        long completed = 0;
        long polled = 0;

        for (int round = 0; round < 50; round++) {
            while (queue.post(receive, 0, 1) == 1) {
                posted++;
                receive.workRequestId(posted);
            }
            assertThat(posted - polled).isEqualTo(capacity);
            int taken = 1 + round % capacity;
            for (int i = 0; i < taken; i++) {
                complete(completed, (int) completed, (int) -completed);
                completed++;
            }
            assertThat(queue.waitingCompletions(100)).isEqualTo(taken);
            assertThat(queue.waitingCompletions(1)).isOne();
            assertThat(queue.poll(poll, 0, 1)).isEqualTo(taken);
            for (int i = 0; i < taken; i++) {
                assertThat(poll.workRequestIds[i]).isEqualTo(polled);
                assertThat(poll.byteLengths[i]).isEqualTo((int) polled);
                assertThat(poll.immediates[i]).isEqualTo((int) -polled);
                polled++;
            }
        }
    }

    @Test
    void showsThePeerTheEndOfWhatIsPosted() throws Exception {
        ReceiveQueue queue = queue(3);
        LoopbackPostReceive receive = device.receives(1, 3);

        assertThat(postedEnd()).isZero();
        queue.post(receive, 0, 2);
        assertThat(postedEnd()).isEqualTo(2);
        queue.post(receive, 0, 2);
        assertThat(postedEnd()).isEqualTo(3);
        queue.post(receive, 0, 1);
        assertThat(postedEnd()).isEqualTo(3);
    }

    @Test
    void showsWhatIsPostedInTurnWhateverWasThereBefore() throws Exception {
        ReceiveQueue queue = queue(3);
        LoopbackMemoryRegion first = device.region(4096);
        LoopbackMemoryRegion second = device.region(4096);
        LoopbackPostReceive receive = device.receives(1, 1);
        LoopbackPollCompletions poll = device.poll(1);

        for (int position = 0; position < 30; position++) {
            // Goes round in as many kinds as the ring has entries, and then in one more.
            int kind = position % (position < 15 ? 3 : 4);
            LoopbackMemoryRegion region = kind % 2 == 0 ? first : second;
            receive.scatterGather(0, region, 10L * kind, 1 + kind);
            assertThat(queue.post(receive, 0, 1)).isOne();

            long element = entry(position) + QueuePairDescriptor.ELEMENTS_OFFSET;
            assertThat(Words.longAt(element + QueuePairDescriptor.ELEMENT_OFFSET_OFFSET))
                    .isEqualTo(10L * kind);
            assertThat(Words.intAt(element + QueuePairDescriptor.ELEMENT_LENGTH_OFFSET))
                    .isEqualTo(1 + kind);
            assertThat(Words.intAt(element + QueuePairDescriptor.ELEMENT_KEY_OFFSET))
                    .isEqualTo(region.localKey());
            complete(position, 1, 0);
            assertThat(queue.poll(poll, 0, 1)).isOne();
        }
    }

    /// A call may have more requests than the ring has entries.
    @ParameterizedTest
    @MethodSource("runsOfALongCall")
    void showsEachReceiveOfACallThatIsLongerThanTheRing(List<int[]> runs) throws Exception {
        ReceiveQueue queue = queue(8);
        LoopbackMemoryRegion region = device.region(4096);
        LoopbackPostReceive receive = device.receives(1, 11);
        for (int i = 0; i < 11; i++) {
            receive.request(i).scatterGather(0, region, 10L * i, 10);
        }
        LoopbackPollCompletions poll = device.poll(8);
        long position = 0;
        for (int[] run : runs) {
            assertThat(queue.post(receive, run[0], run[1])).isEqualTo(run[1]);
            for (int i = 0; i < run[1]; i++) {
                assertThat(elements(position + i))
                        .containsExactly(List.of(10 * (run[0] + i), 10, region.localKey()));
                complete(position + i, 0, 0);
            }
            assertThat(queue.poll(poll, 0, 1)).isEqualTo(run[1]);
            for (int i = 0; i < run[1]; i++) {
                assertThat(poll.workRequestIds[i]).isEqualTo(run[0] + i);
            }
            position += run[1];
        }
    }

    static Stream<List<int[]>> runsOfALongCall() {
        return Stream.of(
                List.of(new int[] {3, 5}, new int[] {0, 3}, new int[] {3, 8}),
                List.of(
                        new int[] {0, 7},
                        new int[] {10, 1},
                        new int[] {3, 5},
                        new int[] {0, 2},
                        new int[] {2, 1}),
                List.of(new int[] {1, 7}, new int[] {0, 1}, new int[] {1, 8}));
    }

    @Test
    void flushesWhatThePeerHasNotCompleted() throws Exception {
        ReceiveQueue queue = queue(4);
        queue.post(device.receives(1, 4), 0, 4);
        complete(0, 10, 0);
        complete(1, 11, 0);

        LoopbackPollCompletions poll = device.poll(3);
        assertThat(queue.flush(poll, 0, 1)).isEqualTo(3);
        assertThat(poll.workRequestIds).containsExactly(0, 1, 2);
        assertThat(Arrays.stream(poll.outcomes).map(QueuePairDescriptor::status))
                .containsExactly(0, 0, FLUSHED);
        assertThat(queue.hasOutstanding()).isTrue();

        assertThat(queue.flush(poll, 0, 1)).isOne();
        assertThat(poll.workRequestIds[0]).isEqualTo(3);
        assertThat(QueuePairDescriptor.status(poll.outcomes[0])).isEqualTo(FLUSHED);
        assertThat(queue.hasOutstanding()).isFalse();
        assertThat(queue.flush(poll, 0, 1)).isZero();
    }

    @Test
    void flushesWhatIsPostedAfterwards() throws Exception {
        ReceiveQueue queue = queue(1);
        LoopbackPostReceive receive = device.receives(1, 1);
        LoopbackPollCompletions poll = device.poll(1);

        for (int i = 0; i < 3; i++) {
            receive.workRequestId(i);
            assertThat(queue.post(receive, 0, 1)).isOne();
            assertThat(queue.flush(poll, 0, 1)).isOne();
            assertThat(poll.workRequestIds[0]).isEqualTo(i);
        }
    }

    @Test
    void scattersAnyPartToItsElements() throws Exception {
        ReceiveQueue queue = queue(1);
        LoopbackMemoryRegion region = device.region(64);
        LoopbackPostReceive receive = device.receives(3, 1);
        receive.scatterGather(0, region, 20, 5)
                .scatterGather(1, region, 3, 1)
                .scatterGather(2, region, 40, 7);
        queue.post(receive, 0, 1);

        for (int skip = 0; skip <= 13; skip++) {
            for (int length = 0; length <= 13 - skip; length++) {
                region.segment().fill((byte) 0);
                byte[] source = new byte[length];
                Arrays.fill(source, (byte) 1);
                queue.scatter(0, skip, MemorySegment.ofArray(source), length);
                byte[] expected = new byte[13];
                Arrays.fill(expected, skip, skip + length, (byte) 1);
                byte[] all = DeviceFixture.bytes(region);
                byte[] found = new byte[13];
                System.arraycopy(all, 20, found, 0, 5);
                System.arraycopy(all, 3, found, 5, 1);
                System.arraycopy(all, 40, found, 6, 7);
                assertThat(found).as("%d bytes from %d on", length, skip).isEqualTo(expected);
            }
        }
    }
}
