package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.loopback.link.PeerLink;
import io.rdmanet.loopback.memory.PeerFiles;
import io.rdmanet.loopback.memory.PeerRegions;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a deliverer leaves behind that dies with the claim, at each place where it may, and how its
/// receiver mends that: nothing is delivered twice, nothing is lost but its last datagram.
class PooledReceivesTest {
    private static final int NUMBER = 0x101;
    private static final int RECEIVES = 3;
    private static final int FLUSHED = CompletionStatus.WORK_REQUEST_FLUSH_ERROR.code();

    private DeviceFixture device;
    private ReceivePool pool;
    private PooledReceives receives;
    private MemorySegment memory;
    private PeerFiles files;
    private PeerLink link;
    private PeerRegions regions;

    @BeforeEach
    void open() throws Exception {
        device = new DeviceFixture();
        GlobalIdentifier gid = device.context.hub().instance().gid();
        files = new PeerFiles(gid);
        link = device.context.hub().peer(gid);
        regions = new PeerRegions(files);
        pool = ReceivePool.create(device.context, RECEIVES, 1);
        int cells = QueuePairDescriptor.capacity(RECEIVES);
        memory = Arena.ofAuto().allocate(QueuePairDescriptor.bytes(cells, 0), 64);
        Words.setInt(memory.address() + QueuePairDescriptor.CAPACITY_OFFSET, cells);
        Words.setInt(
                memory.address() + QueuePairDescriptor.TRANSPORT_OFFSET,
                QueuePairDescriptor.DATAGRAM);
        Words.setInt(
                memory.address() + QueuePairDescriptor.STATE_OFFSET,
                QueuePairState.READY_TO_RECEIVE.code());
        receives = new PooledReceives(memory, NUMBER, pool, true);
        assertThat(receives.post(device.receives(0, RECEIVES), 0, RECEIVES)).isEqualTo(RECEIVES);
    }

    @AfterEach
    void close() {
        regions.close();
        receives.close();
        device.close();
    }

    /// Another sender, or the same one again.
    private RemoteQueuePair sender() {
        RemotePool seen =
                new RemotePool(files, pool.number(), new ReceiveTaker(pool.memory().segment()));
        return new RemoteQueuePair(NUMBER, link, memory, regions, seen);
    }

    private void deliver(int immediate) {
        RemoteQueuePair sender = sender();
        sender.resumeDatagrams();
        assertThat(sender.nextDatagramReceive(0)).isNotZero();
        sender.completeDatagram(0, 0, immediate, false, 7);
        sender.suspendDatagrams();
    }

    private void assertPolled(long id, int immediate) {
        LoopbackPollCompletions poll = device.poll(1);
        assertThat(receives.poll(poll, 0, NUMBER)).isOne();
        assertThat(poll.workRequestIds[0]).isEqualTo(id);
        assertThat(poll.immediates[0]).isEqualTo(immediate);
        assertThat(poll.sourceQueuePairs[0]).isEqualTo(7);
    }

    private void assertNothingLeft() {
        assertThat(receives.poll(device.poll(1), 0, NUMBER)).isZero();
        assertThat(sender().nextDatagramReceive(0)).isZero();
    }

    @Test
    void sendersGoOnWhereTheOthersLeftOff() {
        for (int i = 0; i < RECEIVES; i++) {
            deliver(i);
        }

        for (int i = 0; i < RECEIVES; i++) {
            assertPolled(i, i);
        }
        assertNothingLeft();
    }

    @Test
    void deathBeforeTakingAReceiveLeavesNothing() {
        deliver(0);
        sender().resumeDatagrams();

        receives.recover();

        deliver(1);
        deliver(2);
        assertPolled(0, 0);
        assertPolled(1, 1);
        assertPolled(2, 2);
        assertNothingLeft();
    }

    @Test
    void deathAfterTakingAReceiveLeavesItToTheNext() {
        deliver(0);
        RemoteQueuePair dead = sender();
        dead.resumeDatagrams();
        assertThat(dead.nextDatagramReceive(0)).isNotZero();

        receives.recover();

        deliver(1);
        deliver(2);
        assertPolled(0, 0);
        assertPolled(1, 1);
        assertPolled(2, 2);
        assertNothingLeft();
    }

    @Test
    void deathAfterCompletingLeavesTheCompletion() {
        deliver(0);
        RemoteQueuePair dead = sender();
        dead.resumeDatagrams();
        assertThat(dead.nextDatagramReceive(0)).isNotZero();
        dead.completeDatagram(0, 0, 1, false, 7);

        receives.recover();

        deliver(2);
        assertPolled(0, 0);
        assertPolled(1, 1);
        assertPolled(2, 2);
        assertNothingLeft();
    }

    @Test
    void deathOfOneAfterTheOtherInEachPlaceLosesNothing() {
        RemoteQueuePair first = sender();
        first.resumeDatagrams();
        assertThat(first.nextDatagramReceive(0)).isNotZero();
        receives.recover();
        RemoteQueuePair second = sender(); // which is given what the first one held
        second.resumeDatagrams();
        assertThat(second.nextDatagramReceive(0)).isNotZero();
        receives.recover();
        RemoteQueuePair third = sender();
        third.resumeDatagrams();
        assertThat(third.nextDatagramReceive(0)).isNotZero();
        third.completeDatagram(0, 0, 5, false, 7);
        receives.recover();

        deliver(6);
        assertPolled(0, 5);
        assertPolled(1, 6);
        deliver(7);
        assertPolled(2, 7);
        assertNothingLeft();
    }

    @Test
    void mendingWhatWasPolledMeanwhileInventsNothing() {
        deliver(0);
        deliver(1);
        assertPolled(0, 0);
        assertPolled(1, 1);

        receives.recover();

        deliver(2);
        assertPolled(2, 2);
        assertNothingLeft();
    }

    @Test
    void flushesWhatWasTakenAndThenTheRestInOrder() throws Exception {
        deliver(0);
        RemoteQueuePair dead = sender();
        dead.resumeDatagrams();
        assertThat(dead.nextDatagramReceive(0)).isNotZero();
        receives.recover();
        assertThat(receives.hasOutstanding()).isTrue();
        LoopbackPollCompletions poll = device.poll(2);

        assertThat(receives.flush(poll, 0, NUMBER)).isEqualTo(2);
        assertThat(poll.workRequestIds).containsExactly(0, 1);
        assertThat(QueuePairDescriptor.status(poll.outcomes[0])).isZero();
        assertThat(QueuePairDescriptor.status(poll.outcomes[1])).isEqualTo(FLUSHED);
        assertThat(receives.flush(poll, 0, NUMBER)).isOne();

        assertThat(poll.workRequestIds[0]).isEqualTo(2);
        assertThat(receives.hasOutstanding()).isFalse();
        assertThat(receives.flush(poll, 0, NUMBER)).isZero();
        assertThat(receives.post(device.receives(0, RECEIVES), 0, RECEIVES)).isEqualTo(RECEIVES);
        assertThat(receives.hasOutstanding()).isTrue();
    }

    @Test
    void ofASharedPoolOnlyWhatWasTakenIsFlushed() throws Exception {
        PooledReceives sharing = new PooledReceives(memory, NUMBER, pool, false);
        RemoteQueuePair dead = sender();
        assertThat(dead.nextDatagramReceive(0)).isNotZero();
        LoopbackPollCompletions poll = device.poll(3);

        assertThat(sharing.flush(poll, 0, NUMBER)).isOne();

        assertThat(poll.workRequestIds[0]).isZero();
        assertThat(sharing.hasOutstanding()).isFalse();
        assertThat(sender().nextDatagramReceive(0)).as("left to the others").isNotZero();
    }
}
