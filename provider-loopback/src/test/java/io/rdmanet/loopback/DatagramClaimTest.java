package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.rdmanet.loopback.link.ChildJvm;
import io.rdmanet.loopback.memory.PeerFiles;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.GlobalRouteDescriptor;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What happens while somebody has the claim of a queue pair of datagrams and does not give it
/// back.
class DatagramClaimTest {
    private static final int KEY = 5;
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private DeviceFixture device;
    private QueuePair queuePair;
    private AddressHandle handle;
    private MemoryRegion memory;
    private PostSend send;
    private MemorySegment shared; // the claim has its address only
    private DatagramClaim claim;

    @BeforeEach
    void open() throws Exception {
        device = new DeviceFixture();
        queuePair =
                device.domain.createQueuePair(
                        QueuePairInitialAttributes.datagram(
                                device.completions,
                                device.completions,
                                QueuePairCapacity.of(4, 4)));
        queuePair.modify(QueuePairAttributes.toDatagramInit(1, KEY));
        queuePair.modify(QueuePairAttributes.toDatagramReadyToReceive());
        queuePair.modify(QueuePairAttributes.toDatagramReadyToSend(0));
        handle = device.domain.createAddressHandle(AddressVector.to(gid(), 1, 0));
        memory =
                device.domain.allocate(
                        GlobalRouteDescriptor.BYTES, EnumSet.of(AccessFlag.LOCAL_WRITE));
        send = queuePair.preparePostSend(new SendShape(SendOpcode.SEND, 0), 1);
        send.request(0).flags(SendFlags.SIGNALED).datagram(handle, queuePair.number(), KEY);
        shared =
                new PeerFiles(gid())
                        .map(QueuePairDescriptor.fileName(queuePair.number()), Arena.ofAuto());
        claim = new DatagramClaim(shared.address());
    }

    @AfterEach
    void close() {
        assertThat(shared.scope().isAlive()).isTrue();
        queuePair.close();
        handle.close();
        memory.close();
        device.close();
    }

    private GlobalIdentifier gid() {
        return device.context.hub().instance().gid();
    }

    private void postReceive(long id) throws Exception {
        try (PostReceive receive = queuePair.preparePostReceive(1, 1)) {
            receive.request(0)
                    .workRequestId(id)
                    .scatterGather(0, memory, 0, GlobalRouteDescriptor.BYTES);
            assertThat(receive.execute(0, 1)).isOne();
        }
    }

    /// Waits for completions; the sends' identifiers are 0, so that of a receive is told from them.
    private void awaitCompletions(int count) throws Exception {
        PollCompletions poll = device.completions.preparePoll(4);
        long end = System.nanoTime() + PATIENCE_NANOS;
        int seen = 0;
        while (seen < count) {
            int found = poll.execute();
            for (int i = 0; i < found; i++) {
                assertThat(poll.status(i)).hasToString("SUCCESS");
            }
            seen += found;
            assertThat(System.nanoTime()).as("seen %d of %d", seen, count).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"claim", "take"})
    void isTakenBackFromAProcessThatIsKilled(String what) throws Exception {
        postReceive(1);
        try (ChildJvm child =
                ChildJvm.start(
                        ClaimingChild.class,
                        Long.toString(gid().high()),
                        Long.toString(gid().low()),
                        Integer.toString(queuePair.number()),
                        what)) {
            assertThat(child.readLine()).startsWith(what.equals("take") ? "taken" : "claimed");
            assertThat(claim.holder()).isNotEqualTo(QueuePairDescriptor.UNCLAIMED);
        }

        assertThat(send.execute(0, 1)).isOne();

        awaitCompletions(2); // the send, and the one receive that there is
    }

    @Test
    void isTakenBackFromADeviceThatNobodyHasKnown() throws Exception {
        assertThat(claim.tryBegin(0x1234_5678L)).isTrue();
        postReceive(1);

        assertThat(send.execute(0, 1)).isOne();
        awaitCompletions(1); // lost, after a while; the receiver was woken by that

        long end = System.nanoTime() + PATIENCE_NANOS;
        while (claim.holder() != QueuePairDescriptor.UNCLAIMED) {
            assertThat(System.nanoTime()).as("claim given back").isLessThan(end);
            Thread.sleep(1);
        }
        assertThat(send.execute(0, 1)).isOne();
        awaitCompletions(2);
    }

    @Test
    void aDatagramThatWaitsForItUsesItsHandleAndIsSentAfterwards() throws Exception {
        long living = device.context.hub().instance().id();
        assertThat(claim.tryBegin(living)).isTrue();
        postReceive(1);
        assertThat(send.execute(0, 1)).isOne();

        assertThatIllegalStateException()
                .isThrownBy(handle::close)
                .withMessageContaining("await its completions");

        claim.end();
        awaitCompletions(2);
        handle.close();
    }

    @Test
    void receivesAreFlushedOnlyAfterIt() throws Exception {
        assertThat(claim.tryBegin(device.context.hub().instance().id())).isTrue();
        postReceive(1);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        PollCompletions poll = device.completions.preparePoll(4);
        long start = System.nanoTime();
        while (System.nanoTime() - start < 50_000_000) {
            assertThat(poll.execute()).isZero();
        }

        claim.end();

        int found = 0;
        while (found == 0) {
            found = poll.execute();
            assertThat(System.nanoTime() - start).isLessThan(PATIENCE_NANOS);
        }
        assertThat(poll.workRequestId(0)).isOne();
        assertThat(poll.status(0)).hasToString("WORK_REQUEST_FLUSH_ERROR");
    }
}
