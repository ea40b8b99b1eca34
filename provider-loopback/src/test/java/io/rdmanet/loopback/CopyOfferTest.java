package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.loopback.memory.PeerFiles;
import io.rdmanet.loopback.memory.PeerRegion;
import io.rdmanet.loopback.memory.PeerRegions;
import io.rdmanet.loopback.ring.CopyOfferDescriptor;
import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CopyOfferTest {
    private static final int PART = 4096;
    private static final int LONGEST = 2 * CopyOfferDescriptor.MAX_PARTS * PART + PART + 1;
    private static final int MARGIN = 64;
    private static final long SEED = 20261130;
    private static final byte UNTOUCHED = 0x5a;

    private DeviceFixture device;
    private LoopbackMemoryRegion source;
    private LoopbackMemoryRegion target;
    private ReceiveQueue receives;
    private PeerRegions regions;
    private CopyOffer offer;
    private CopyHelp help;
    private SendRequests requests;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private @Nullable Thread helper;
    private ExecutionRight right;
    private long base;

    @SuppressWarnings("unused") // keeps what `base` addresses
    private MemorySegment memory;

    @BeforeEach
    void open() throws Exception {
        device = new DeviceFixture();
        source = device.randomRegion(LONGEST + 2 * MARGIN, SEED);
        target = device.region(LONGEST + 2 * MARGIN);
        int stride = QueuePairDescriptor.stride(DeviceFixture.MAX_ELEMENTS);
        memory = Arena.ofAuto().allocate(QueuePairDescriptor.bytes(2, stride), 64);
        receives = new ReceiveQueue(memory, 2, DeviceFixture.MAX_ELEMENTS);
        base = memory.address() + QueuePairDescriptor.COPY_OFFER_OFFSET;
        regions = new PeerRegions(new PeerFiles(device.context.hub().instance().gid()));
        offer = new CopyOffer(base, PART);
        help = new CopyHelp(base, receives);
        right = new ExecutionRight(memory.address());
        requests = device.sends(1, 1).requests();
    }

    @AfterEach
    void close() throws Exception {
        isOver.set(true);
        if (helper != null) {
            helper.join();
        }
        regions.close();
        device.close();
    }

    private void prepare(int length) throws VerbsException {
        target.segment().fill(UNTOUCHED);
        requests.element(0, 0, source, MARGIN, length);
        LoopbackPostReceive receive = device.receives(1, 1);
        receive.scatterGather(0, target, MARGIN, length);
        assertThat(receives.post(receive, 0, 1)).isEqualTo(1);
    }

    /// As the engine does.
    private int copy(int length) {
        int readiness = offer.readiness();
        return readiness != 0
                ? readiness
                : offer.copy(requests, 0, length, 0, target.segment(), MARGIN);
    }

    private void assertCopied(int length) {
        MemorySegment wanted = source.segment().asSlice(MARGIN, length);
        assertThat(target.segment().asSlice(MARGIN, length).mismatch(wanted)).isEqualTo(-1);
        for (long margin : new long[] {0, MARGIN + (long) length}) {
            assertThat(target.segment().asSlice(margin, MARGIN).toArray(ValueLayout.JAVA_BYTE))
                    .containsOnly(UNTOUCHED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, PART - 1, PART, PART + 1, 2 * PART, 64 * PART, 64 * PART + 1, LONGEST})
    void copiesAloneWhereNobodyHelps(int length) throws Exception {
        prepare(length);
        assertThat(copy(length)).isZero();
        assertCopied(length);
        assertThat(offer.readiness()).isZero();
        assertThat(help.isWanted()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {2 * PART, 2 * PART + 1, 4 * PART, LONGEST})
    void copiesEachByteOnceWithAHelper(int length) throws Exception {
        prepare(length);
        startHelper(regions::find);
        long helped = 0;
        // Until it has helped: on one processor that may take a while.
        for (int round = 0; round < 200 || helped == 0; round++) {
            target.segment().fill(UNTOUCHED);
            int status = copy(length);
            while (status == RetryTimer.IN_PROGRESS) { // a helper without a processor
                status = copy(length);
            }
            assertThat(status).isZero();
            assertCopied(length);
            helped = Words.longAcquire(base + CopyOfferDescriptor.HELPED_OFFSET);
        }
    }

    /// Polls for something to help with, until the test is over.
    private void startHelper(IntFunction<@Nullable PeerRegion> find) {
        helper =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!isOver.get()) {
                                if (help.isWanted()) {
                                    help.help((key, given) -> find.apply(key), right);
                                }
                            }
                        });
    }

    /// Has a helper that takes the last part, and stops before it copies.
    private int copyWithAHelperThatStops(int length) throws Exception {
        AtomicBoolean hasTaken = new AtomicBoolean();
        Thread stopping =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!hasTaken.get()) {
                                if (help.isWanted()) {
                                    hasTaken.set(takesLastPart());
                                }
                            }
                        });
        int status = copy(length);
        while (status == 0) {
            status = copy(length);
        }
        stopping.join();
        return status;
    }

    private boolean takesLastPart() {
        long parts = Words.longAcquire(base + CopyOfferDescriptor.PARTS_OFFSET);
        return CopyOfferDescriptor.isAnyLeft(parts)
                && Words.compareAndSetLong(
                        base + CopyOfferDescriptor.PARTS_OFFSET,
                        parts,
                        CopyOfferDescriptor.takenFromBack(parts));
    }

    private int number() {
        return CopyOfferDescriptor.number(
                Words.longAcquire(base + CopyOfferDescriptor.PARTS_OFFSET));
    }

    @Test
    void waitsForAHelperWithoutAProcessorAndBeginsAgain() throws Exception {
        int length = 4 * PART;
        prepare(length);
        assertThat(copyWithAHelperThatStops(length)).isEqualTo(RetryTimer.IN_PROGRESS);
        assertThat(offer.readiness()).isEqualTo(RetryTimer.IN_PROGRESS);
        assertThat(copy(length)).isEqualTo(RetryTimer.IN_PROGRESS);

        Words.setLongRelease(
                base + CopyOfferDescriptor.HELPED_OFFSET, CopyOfferDescriptor.helped(number(), 1));
        assertThat(offer.readiness()).isZero();
        assertThat(copy(length)).isZero();
        assertCopied(length);
    }

    @Test
    void isNoLongerAwaitedWhereAHelperFailsLate() throws Exception {
        int length = 4 * PART;
        prepare(length);
        assertThat(copyWithAHelperThatStops(length)).isEqualTo(RetryTimer.IN_PROGRESS);

        Words.setLongRelease(
                base + CopyOfferDescriptor.HELPED_OFFSET, CopyOfferDescriptor.failed(number()));
        assertThat(offer.readiness()).isZero();
    }

    @Test
    void isUnreachableWhereAHelperFails() throws Exception {
        int length = 4 * PART;
        prepare(length);
        PeerRegion found = regions.find(source.localKey());
        regions.close();
        startHelper(key -> found);
        int status = copy(length);
        while (status != RetryTimer.UNREACHABLE) { // not helped, or too late
            status = copy(length);
        }
    }

    @Test
    void takesNoPartBehindOneThatFailed() throws Exception {
        int length = 4 * PART;
        prepare(length);
        offerByHand(length, 0);
        assertThat(takesLastPart()).isTrue();
        long failed = CopyOfferDescriptor.failed(number());
        Words.setLongRelease(base + CopyOfferDescriptor.HELPED_OFFSET, failed);
        long parts = Words.longAcquire(base + CopyOfferDescriptor.PARTS_OFFSET);

        help.help((key, given) -> regions.find(key), right);

        assertThat(Words.longAcquire(base + CopyOfferDescriptor.PARTS_OFFSET)).isEqualTo(parts);
        assertThat(Words.longAcquire(base + CopyOfferDescriptor.HELPED_OFFSET)).isEqualTo(failed);
    }

    /// Offers a message, and takes nothing of it.
    private void offerByHand(int length, long position) {
        Words.setInt(base + CopyOfferDescriptor.KEY_OFFSET, source.localKey());
        Words.setInt(base + CopyOfferDescriptor.LENGTH_OFFSET, length);
        Words.setLong(base + CopyOfferDescriptor.SOURCE_OFFSET, MARGIN);
        Words.setLong(base + CopyOfferDescriptor.POSITION_OFFSET, position);
        Words.setLong(base + CopyOfferDescriptor.SKIP_OFFSET, 0);
        Words.setInt(base + CopyOfferDescriptor.PART_BYTES_OFFSET, PART);
        Words.setLongRelease(
                base + CopyOfferDescriptor.PARTS_OFFSET,
                CopyOfferDescriptor.fresh(9, length / PART));
    }

    @Test
    void awaitsTheHelperOfAnEarlierLifeOfItsOwnEnd() throws Exception {
        int length = 4 * PART;
        prepare(length);
        assertThat(copyWithAHelperThatStops(length)).isEqualTo(RetryTimer.IN_PROGRESS);

        CopyOffer later = new CopyOffer(base, PART);
        assertThat(later.readiness()).isEqualTo(RetryTimer.IN_PROGRESS);
        Words.setLongRelease(
                base + CopyOfferDescriptor.HELPED_OFFSET, CopyOfferDescriptor.helped(number(), 1));
        assertThat(later.readiness()).isZero();
    }

    @Test
    void countsAPeerAsUnreachableWhoseHelperWasStopped() throws Exception {
        int length = 2 * PART;
        prepare(length);
        assertThat(copyWithAHelperThatStops(length)).isEqualTo(RetryTimer.IN_PROGRESS);

        while (offer.readiness() == RetryTimer.IN_PROGRESS) {
            Thread.sleep(10);
        }
        assertThat(offer.readiness()).isEqualTo(RetryTimer.UNREACHABLE);
    }

    @Test
    void tellsWhoeverOffersThatAClosedRegionCannotBeCopiedInto() throws Exception {
        int length = 2 * PART;
        prepare(length);
        offerByHand(length, 0);
        PeerRegion found = regions.find(source.localKey());
        regions.close();

        help.help((key, given) -> found, right);

        assertThat(Words.longAcquire(base + CopyOfferDescriptor.HELPED_OFFSET))
                .isEqualTo(CopyOfferDescriptor.failed(9));
    }

    @Test
    void leavesNothingToBeTakenWhenItsOwnRegionIsClosed() throws Exception {
        int length = 4 * PART;
        prepare(length);
        MemorySegment closed;
        try (Arena arena = Arena.ofShared()) {
            closed = arena.allocate(length);
        }
        assertThatThrownBy(() -> offer.copy(requests, 0, length, 0, closed, 0))
                .isInstanceOf(IllegalStateException.class);
        assertThat(help.isWanted()).isFalse();
        assertThat(offer.readiness()).isZero();
    }

    @Test
    void doesNotHelpWithAMessageBehindOneThatWasNotPolled() throws Exception {
        prepare(2 * PART);
        offerByHand(2 * PART, 1);
        long parts = Words.longAcquire(base + CopyOfferDescriptor.PARTS_OFFSET);

        help.help((key, given) -> regions.find(key), right);

        assertThat(Words.longAcquire(base + CopyOfferDescriptor.PARTS_OFFSET)).isEqualTo(parts);
    }

    @Test
    void countsPartsFromBothEnds() {
        for (int count = 1; count <= CopyOfferDescriptor.MAX_PARTS; count++) {
            for (int fromBack = 0; fromBack <= count; fromBack++) {
                long parts = CopyOfferDescriptor.fresh(-1, count);
                for (int i = 0; i < fromBack; i++) {
                    assertThat(CopyOfferDescriptor.lastLeft(parts)).isEqualTo(count - 1 - i);
                    parts = CopyOfferDescriptor.takenFromBack(parts);
                }
                for (int i = 0; i < count - fromBack; i++) {
                    assertThat(CopyOfferDescriptor.isAnyLeft(parts)).isTrue();
                    assertThat(CopyOfferDescriptor.fromFront(parts)).isEqualTo(i);
                    parts = CopyOfferDescriptor.takenFromFront(parts);
                }
                assertThat(CopyOfferDescriptor.isAnyLeft(parts)).isFalse();
                assertThat(CopyOfferDescriptor.fromBack(parts)).isEqualTo(fromBack);
                assertThat(CopyOfferDescriptor.number(parts)).isEqualTo(-1);
                long withdrawn = CopyOfferDescriptor.withdrawn(parts);
                assertThat(CopyOfferDescriptor.isAnyLeft(withdrawn)).isFalse();
                assertThat(CopyOfferDescriptor.fromBack(withdrawn)).isEqualTo(fromBack);
                assertThat(CopyOfferDescriptor.number(withdrawn)).isEqualTo(-1);
            }
        }
    }
}
