package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.loopback.memory.PeerFiles;
import io.rdmanet.loopback.memory.PeerRegions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What stops the short way, and what is counted and shown then.
class ShortSendsTest {
    private static final int RECEIVES = 64;
    private static final int BYTES = 8;

    private DeviceFixture device;
    private LoopbackMemoryRegion source;
    private LoopbackMemoryRegion target;
    private LoopbackPostReceive receive;
    private ReceiveQueue owner;
    private RemoteQueuePair peer;
    private PeerRegions regions;
    private ShortSends sends;
    private final SendRequests requests = new SendRequests(RECEIVES, 1, 0, null);

    @BeforeEach
    @SuppressWarnings("NullAway") // nothing here wakes the owner
    void open() throws Exception {
        device = new DeviceFixture();
        source = device.randomRegion(RECEIVES * BYTES, 31);
        target = device.region(RECEIVES * BYTES);
        MemorySegment memory = DeviceFixture.queuePairMemory(RECEIVES);
        owner = new ReceiveQueue(memory, RECEIVES, DeviceFixture.MAX_ELEMENTS);
        regions = new PeerRegions(new PeerFiles(device.context.hub().instance().gid()));
        peer = new RemoteQueuePair(1, null, memory, regions, null);
        sends = new ShortSends(peer);
        receive = device.receives(2, RECEIVES);
        for (int i = 0; i < RECEIVES; i++) {
            receive.request(i).scatterGather(0, target, (long) i * BYTES, BYTES);
            requests.element(i, 0, source, (long) i * BYTES, BYTES);
        }
    }

    @AfterEach
    void close() {
        regions.close();
        device.close();
    }

    /// Positions in the first group of those shown together, and in the second.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 40, 41, 42, 63})
    void countsAndShowsWhatCameBeforeOneThatCannotBeCopied(int position) throws Exception {
        owner.post(receive, 0, RECEIVES);
        requests.unregistered(position, 0, memoryOfAnotherThread(), 0, BYTES);

        assertThat(sends.execute(requests, 0, RECEIVES, 0)).isEqualTo(position);

        assertThat(owner.poll(device.poll(RECEIVES), 0, 1)).isEqualTo(position);
        int bytes = position * BYTES;
        assertThat(Arrays.copyOf(DeviceFixture.bytes(target), bytes))
                .isEqualTo(Arrays.copyOf(DeviceFixture.bytes(source), bytes));
    }

    @SuppressWarnings("MustBeClosedChecker") // only its thread could, and that has ended
    private static MemorySegment memoryOfAnotherThread() throws Exception {
        return CompletableFuture.supplyAsync(() -> Arena.ofConfined().allocate(BYTES)).get();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 40, 41, 42, 63})
    void stopsAtAReceiveThatIsNotOfOneElement(int position) throws Exception {
        receive.request(position)
                .scatterGather(0, target, 0, BYTES / 2)
                .scatterGather(1, target, BYTES / 2, BYTES / 2);
        owner.post(receive, 0, RECEIVES);

        assertThat(sends.execute(requests, 0, RECEIVES, 0)).isEqualTo(position);

        assertThat(owner.poll(device.poll(RECEIVES), 0, 1)).isEqualTo(position);
    }

    @Test
    void leavesWhatIsKeptBackAloneIfNothingGoesThisWay() throws Exception {
        receive.request(1).scatterGather(1, target, 0, BYTES);
        owner.post(receive, 0, RECEIVES);
        assertThat(peer.nextReceive()).isNotZero();
        peer.completeReceive(0, BYTES, 0, false);

        assertThat(sends.execute(requests, 1, 5, 0)).isZero();

        assertThat(owner.waitingCompletions(RECEIVES)).isZero();
        peer.announce();
        assertThat(owner.waitingCompletions(RECEIVES)).isOne();
    }

    @Test
    void showsWhatIsKeptBackBeforeItsOwn() throws Exception {
        owner.post(receive, 0, RECEIVES);
        assertThat(peer.nextReceive()).isNotZero();
        peer.completeReceive(0, BYTES, 0, false);

        assertThat(sends.execute(requests, 1, 5, 0)).isEqualTo(5);

        LoopbackPollCompletions poll = device.poll(RECEIVES);
        assertThat(owner.poll(poll, 0, 1)).isEqualTo(6);
        assertThat(Arrays.copyOf(poll.workRequestIds, 6)).containsExactly(0, 1, 2, 3, 4, 5);
    }
}
