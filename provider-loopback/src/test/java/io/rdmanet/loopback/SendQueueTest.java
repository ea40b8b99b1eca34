package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.SendFlags;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SendQueueTest {
    private static final int FLUSHED = CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code();
    private static final long SEED = 1;

    private DeviceFixture device;

    @BeforeEach
    void open() throws Exception {
        device = new DeviceFixture();
    }

    @AfterEach
    void close() {
        device.close();
    }

    private static SendQueue queue(int capacity, boolean signalsAll) {
        return new SendQueue(
                capacity, DeviceFixture.MAX_ELEMENTS, DeviceFixture.MAX_INLINE, signalsAll);
    }

    private static void succeed(SendQueue queue, long first, long end) {
        for (long position = first; position < end; position++) {
            queue.complete(position, 0, 0);
        }
        queue.publish();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 8})
    void takesExactlyItsCapacity(int capacity) throws Exception {
        SendQueue queue = queue(capacity, true);
        LoopbackPostSend send = device.sends(1, capacity + 1);

        assertThat(queue.post(send.requests(), 0, capacity + 1, false)).isEqualTo(capacity);
        assertThat(queue.post(send.requests(), capacity, 1, false)).isZero();
        assertThat(queue.postedAcquire()).isEqualTo(capacity);
        assertThat(queue.hasUnfinished()).isEqualTo(capacity > 0);
    }

    @Test
    void hasNothingWithoutCapacityOrElements() {
        SendQueue queue = new SendQueue(0, 0, 0, false);

        assertThat(queue.hasUnfinished()).isFalse();
        assertThat(queue.publish()).isFalse();
        assertThat(queue.waitingCompletions()).isZero();
        assertThat(queue.poll(device.poll(4), 0, 1)).isZero();
    }

    @Test
    void givesRoomBackWhenTheCompletionIsPolledAndNotBefore() throws Exception {
        SendQueue queue = queue(2, true);
        LoopbackPostSend send = device.sends(1, 2);
        queue.post(send.requests(), 0, 2, false);

        succeed(queue, 0, 2);
        assertThat(queue.post(send.requests(), 0, 1, false)).isZero();

        assertThat(queue.poll(device.poll(1), 0, 1)).isOne();
        assertThat(queue.post(send.requests(), 0, 2, false)).isOne();
    }

    @Test
    void freesUnsignaledRequestsWithTheSignaledOneAfterThem() throws Exception {
        SendQueue queue = queue(3, false);
        LoopbackPostSend send = device.sends(1, 3);
        send.request(2).flags(SendFlags.SIGNALED);
        queue.post(send.requests(), 0, 3, false);

        queue.complete(0, 0, 0);
        queue.complete(1, 0, 0);
        assertThat(queue.publish()).isFalse();
        assertThat(queue.poll(device.poll(3), 0, 1)).isZero();
        assertThat(queue.post(send.requests(), 0, 1, false)).isZero();

        queue.complete(2, 0, 0);
        assertThat(queue.publish()).isTrue();
        LoopbackPollCompletions poll = device.poll(3);
        assertThat(queue.poll(poll, 0, 1)).isOne();
        assertThat(poll.workRequestIds[0]).isEqualTo(2);
        assertThat(queue.post(send.requests(), 0, 3, false)).isEqualTo(3);
    }

    @Test
    void reportsFailuresOfUnsignaledRequests() throws Exception {
        SendQueue queue = queue(2, false);
        queue.post(device.sends(1, 2).requests(), 0, 2, false);

        queue.complete(0, FLUSHED, 0);
        queue.complete(1, FLUSHED, 0);
        queue.publish();

        LoopbackPollCompletions poll = device.poll(2);
        assertThat(queue.poll(poll, 0, 1)).isEqualTo(2);
        assertThat(Arrays.stream(poll.outcomes).map(QueuePairDescriptor::status))
                .containsOnly(FLUSHED);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void keepsTheOrderOverManyWraps(int capacity) throws Exception {
        SendQueue queue = queue(capacity, true);
        LoopbackPostSend send = device.sends(1, 1);
        LoopbackPollCompletions poll = device.poll(capacity);
        long posted = 0;
        long polled = 0;

        for (int round = 0; round < 50; round++) {
            while (queue.post(send.requests(), 0, 1, false) == 1) {
                posted++;
                send.workRequestId(posted);
            }
            succeed(queue, queue.executed(), posted);
            int count = queue.poll(poll, 0, 1);
            assertThat(count).isEqualTo(capacity);
            for (int i = 0; i < count; i++) {
                assertThat(poll.workRequestIds[i]).isEqualTo(polled++);
            }
        }

        assertThat(polled).isEqualTo(50L * capacity);
    }

    @Test
    void takesNoMoreCompletionsThanThePollHasRoomFor() throws Exception {
        SendQueue queue = queue(4, true);
        queue.post(device.sends(1, 4).requests(), 0, 4, false);
        succeed(queue, 0, 4);

        assertThat(queue.waitingCompletions()).isEqualTo(4);
        assertThat(queue.poll(device.poll(5), 2, 1)).isEqualTo(5);
        assertThat(queue.waitingCompletions()).isOne();
        assertThat(queue.poll(device.poll(5), 5, 1)).isEqualTo(5);
    }

    @Test
    void keepsProgressToItselfUntilItIsPublished() throws Exception {
        SendQueue queue = queue(1, true);
        LoopbackMemoryRegion region = device.region(8);
        LoopbackPostSend send = device.sends(1, 1);
        send.scatterGather(0, region, 0, 8);
        queue.post(send.requests(), 0, 1, false);

        queue.complete(0, 0, 8);
        assertThat(queue.hasUnfinished()).isTrue();
        assertThat(queue.uses(region)).isTrue();

        queue.publish();
        assertThat(queue.hasUnfinished()).isFalse();
        assertThat(queue.uses(region)).isFalse();
    }

    @Test
    void skipsElementsOfNoLength() throws Exception {
        LoopbackMemoryRegion region = device.randomRegion(64, SEED);
        SendQueue queue = queue(1, true);
        LoopbackPostSend send = device.sends(4, 1);
        send.scatterGather(0, region, 5, 0)
                .scatterGather(1, region, 8, 3)
                .scatterGather(2, region, 0, 0)
                .scatterGather(3, region, 20, 4);
        queue.post(send.requests(), 0, 1, false);

        assertThat(queue.requests().total(0)).isEqualTo(7);
        byte[] all = DeviceFixture.bytes(region);
        MemorySegment target = MemorySegment.ofArray(new byte[7]);
        queue.requests().gather(0, 0, target, 0, 7);
        assertThat(target.toArray(ValueLayout.JAVA_BYTE))
                .containsExactly(all[8], all[9], all[10], all[20], all[21], all[22], all[23]);
    }

    @Test
    void gathersAnyPartOfItsElements() throws Exception {
        LoopbackMemoryRegion region = device.randomRegion(64, SEED);
        SendQueue queue = postThreeElements(region);
        byte[] message = message(region);

        for (int skip = 0; skip <= message.length; skip++) {
            for (int length = 0; length <= message.length - skip; length++) {
                MemorySegment target = MemorySegment.ofArray(new byte[length + 2]);
                queue.requests().gather(0, skip, target, 1, length);
                byte[] expected = new byte[length + 2];
                System.arraycopy(message, skip, expected, 1, length);
                assertThat(target.toArray(ValueLayout.JAVA_BYTE))
                        .as("%d bytes from %d on", length, skip)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void scattersAnyPartToItsElements() throws Exception {
        LoopbackMemoryRegion region = device.region(64);
        SendQueue queue = postThreeElements(region);
        int total = queue.requests().total(0);

        for (int skip = 0; skip <= total; skip++) {
            for (int length = 0; length <= total - skip; length++) {
                region.segment().fill((byte) 0);
                byte[] source = new byte[length];
                Arrays.fill(source, (byte) 1);
                queue.requests().scatter(0, skip, MemorySegment.ofArray(source), 0, length);
                byte[] expected = new byte[total];
                Arrays.fill(expected, skip, skip + length, (byte) 1);
                assertThat(message(region)).isEqualTo(expected);
                int written = 0;
                for (byte b : DeviceFixture.bytes(region)) {
                    written += b;
                }
                assertThat(written).as("nothing beside the elements").isEqualTo(length);
            }
        }
    }

    /// Elements of 5, 1 and 7 bytes, the second before the first in memory.
    private SendQueue postThreeElements(LoopbackMemoryRegion region) throws Exception {
        SendQueue queue = queue(1, true);
        LoopbackPostSend send = device.sends(3, 1);
        send.scatterGather(0, region, 20, 5)
                .scatterGather(1, region, 3, 1)
                .scatterGather(2, region, 40, 7);
        queue.post(send.requests(), 0, 1, false);
        return queue;
    }

    private static byte[] message(LoopbackMemoryRegion region) {
        byte[] all = DeviceFixture.bytes(region);
        byte[] message = new byte[13];
        System.arraycopy(all, 20, message, 0, 5);
        System.arraycopy(all, 3, message, 5, 1);
        System.arraycopy(all, 40, message, 6, 7);
        return message;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void capturesInlineDataAtPostingOrWhenItCouldNotBeExecuted(boolean isAtPosting)
            throws Exception {
        LoopbackMemoryRegion region = device.randomRegion(DeviceFixture.MAX_INLINE, SEED);
        byte[] before = DeviceFixture.bytes(region);
        SendQueue queue = queue(2, true);
        LoopbackPostSend send = device.sends(2, 2);
        for (int i = 0; i < 2; i++) {
            send.request(i)
                    .flags(SendFlags.INLINE)
                    .scatterGather(0, region, 32, 32)
                    .scatterGather(1, region, 0, 32);
        }

        queue.post(send.requests(), 0, 2, isAtPosting);
        if (!isAtPosting) {
            assertThat(queue.uses(region)).isTrue();
            queue.captureUnfinishedInline();
        }
        region.segment().fill((byte) 0);

        assertThat(queue.uses(region)).isFalse();
        assertThat(queue.requests().hasOpenRegions(1)).isTrue();
        MemorySegment target = MemorySegment.ofArray(new byte[64]);
        queue.requests().gather(1, 0, target, 0, 64);
        byte[] expected = new byte[64];
        System.arraycopy(before, 32, expected, 0, 32);
        System.arraycopy(before, 0, expected, 32, 32);
        assertThat(target.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
    }

    @Test
    void capturesDataOfNoRegionAndGoesBackToARegion() throws Exception {
        LoopbackMemoryRegion region = device.randomRegion(DeviceFixture.MAX_INLINE, SEED);
        SendQueue queue = queue(2, true);
        LoopbackPostSend send = device.sends(1, 2);
        byte[] data = new byte[DeviceFixture.MAX_INLINE];
        Arrays.fill(data, (byte) 3);
        send.request(0).flags(SendFlags.INLINE).scatterGather(0, region, 0, 8);
        send.request(0).inlineData(0, MemorySegment.ofArray(data), 0, data.length);
        send.request(1).flags(SendFlags.INLINE);
        send.request(1).inlineData(0, MemorySegment.ofArray(data), 1, 7);
        send.request(1).scatterGather(0, region, 0, 8);

        queue.post(send.requests(), 0, 2, true);
        Arrays.fill(data, (byte) 0);

        assertThat(queue.requests().total(0)).isEqualTo(data.length);
        assertThat(queue.requests().total(1)).isEqualTo(8);
        MemorySegment target = MemorySegment.ofArray(new byte[DeviceFixture.MAX_INLINE]);
        queue.requests().gather(0, 0, target, 0, data.length);
        assertThat(target.toArray(ValueLayout.JAVA_BYTE)).containsOnly(3);
        assertThat(queue.requests().isInOneSharedRegion(0)).isFalse();
        MemorySegment eight = MemorySegment.ofArray(new byte[8]);
        queue.requests().gather(1, 0, eight, 0, 8);
        assertThat(eight.toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(Arrays.copyOf(DeviceFixture.bytes(region), 8));
    }

    @Test
    void knowsWhetherAnyRequestHasDataOfNoRegion() throws Exception {
        LoopbackMemoryRegion region = device.region(8);
        MemorySegment data = MemorySegment.ofArray(new byte[8]);
        LoopbackPostSend send = device.sends(2, 2);
        SendRequests requests = send.requests();
        assertThat(requests.hasUnregistered()).isFalse();

        send.request(0).inlineData(0, data, 0, 8);
        send.request(0).inlineData(0, data, 4, 4);
        send.request(0).inlineData(1, data, 0, 0);
        assertThat(requests.hasUnregistered()).isTrue();
        send.request(0).scatterGather(0, region, 0, 8);
        assertThat(requests.hasUnregistered()).as("replaced").isFalse();

        send.request(0).inlineData(1, data, 0, 1);
        send.request(1).inlineData(0, data, 0, 8);
        send.request(0).inlineData(1, data, 0, 0);
        assertThat(requests.hasUnregistered()).as("of the other request").isTrue();
        requests.forgetUnregistered(1);
        assertThat(requests.hasUnregistered()).as("forgotten").isFalse();

        send.request(1).scatterGather(0, region, 0, 8).scatterGather(0, region, 2, 3);
        assertThat(requests.hasUnregistered()).isFalse();
        assertThat(requests.total(0)).isEqualTo(8);
        assertThat(requests.total(1)).isEqualTo(3);
    }

    @Test
    void capturesNoMoreThanOnceAndOnlyWhatIsInline() throws Exception {
        LoopbackMemoryRegion region = device.region(8);
        SendQueue queue = queue(4, true);
        LoopbackPostSend send = device.sends(1, 2);
        send.request(0).flags(SendFlags.INLINE).scatterGather(0, region, 0, 8);
        send.request(1).scatterGather(0, region, 0, 8);
        queue.post(send.requests(), 0, 2, false);
        queue.captureUnfinishedInline();

        region.segment().fill((byte) 7);
        queue.captureUnfinishedInline();

        MemorySegment target = MemorySegment.ofArray(new byte[8]);
        queue.requests().gather(0, 0, target, 0, 8);
        assertThat(target.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        queue.requests().gather(1, 0, target, 0, 8);
        assertThat(target.toArray(ValueLayout.JAVA_BYTE)).containsOnly(7);
        assertThat(queue.uses(region)).isTrue();
    }

    @Test
    void findsThatARegionWasClosed() throws Exception {
        LoopbackMemoryRegion region = device.region(8);
        SendQueue queue = queue(1, true);
        LoopbackPostSend send = device.sends(1, 1);
        send.flags(SendFlags.INLINE).scatterGather(0, region, 0, 8);
        queue.post(send.requests(), 0, 1, false);
        assertThat(queue.requests().hasOpenRegions(0)).isTrue();

        region.close();
        queue.captureUnfinishedInline();

        assertThat(queue.requests().hasOpenRegions(0)).isFalse();
    }
}
