package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the sender's side writes to its peer's rings, as the peer's own queue sees it.
class RemoteQueuePairTest {
    private static final int RECEIVES = 64;
    private static final int LONG_MESSAGE = 8192;

    private DeviceFixture device;
    private ReceiveQueue owner;
    private RemoteQueuePair peer;
    private MemorySegment memory = MemorySegment.NULL;

    @BeforeEach
    @SuppressWarnings("NullAway") // nothing here wakes the owner, or reaches its regions
    void open() throws Exception {
        device = new DeviceFixture();
        memory = DeviceFixture.queuePairMemory(RECEIVES);
        owner = new ReceiveQueue(memory, RECEIVES, DeviceFixture.MAX_ELEMENTS);
        peer = new RemoteQueuePair(1, null, memory, null, null);
        assertThat(owner.post(device.receives(1, RECEIVES), 0, RECEIVES)).isEqualTo(RECEIVES);
    }

    @AfterEach
    void close() {
        device.close();
    }

    private void complete(int count, int byteLength) {
        for (int i = 0; i < count; i++) {
            assertThat(peer.nextReceive()).isNotZero();
            peer.completeReceive(0, byteLength, i, false);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 17, 63})
    void showsAllCompletionsInOrderWhenItAnnouncesThem(int count) {
        complete(count, 8);
        peer.announce();

        LoopbackPollCompletions poll = device.poll(RECEIVES);
        assertThat(owner.poll(poll, 0, 1)).isEqualTo(count);
        for (int i = 0; i < count; i++) {
            assertThat(poll.workRequestIds[i]).isEqualTo(i);
            assertThat(poll.immediates[i]).isEqualTo(i);
        }
        assertThat(Arrays.stream(poll.byteLengths).limit(count)).containsOnly(8);
    }

    @Test
    void keepsAFewShortMessagesBackUntilItAnnouncesThem() {
        complete(3, 8);

        assertThat(owner.waitingCompletions(RECEIVES)).isZero();
        peer.announce();
        assertThat(owner.waitingCompletions(RECEIVES)).isEqualTo(3);
    }

    @Test
    void showsALongMessageAndWhatCameBeforeItAtOnce() {
        complete(2, 8);
        complete(1, LONG_MESSAGE);

        assertThat(owner.waitingCompletions(RECEIVES)).isEqualTo(3);
    }

    @Test
    void keepsNoMoreThanAFewBack() {
        complete(RECEIVES, 8);

        assertThat(owner.waitingCompletions(RECEIVES)).isBetween(RECEIVES / 2L, (long) RECEIVES);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, -63, -64, Long.MIN_VALUE, 63, 64, Long.MAX_VALUE})
    void staysInTheRingWhateverPositionTheLastWriterHasLeft(long position) {
        Words.setLong(memory.address() + QueuePairDescriptor.COMPLETED_OFFSET, position);
        byte[] before = head();

        peer.resumeDatagrams();
        peer.completeReceive(0, 8, 9, false);
        peer.show();

        assertThat(head()).isEqualTo(before);
        assertThat(new CompletionRing(0, RECEIVES, 16).index(position)).isBetween(0, RECEIVES - 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Integer.MIN_VALUE - 1L, -1, 0, 65, Long.MAX_VALUE})
    void staysInTheRingWhateverTheOwnerSaysIsPosted(long posted) {
        complete(1, 8);
        Words.setLong(memory.address() + QueuePairDescriptor.POSTED_OFFSET, posted);

        assertThat(peer.receivesInARow(RECEIVES + 1)).isBetween(0, RECEIVES - 1);
    }

    /// All that is before the rings.
    private byte[] head() {
        return memory.asSlice(0, QueuePairDescriptor.RINGS_OFFSET).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void takesNoReceiveThatIsNotPosted() {
        complete(RECEIVES, 8);

        assertThat(peer.nextReceive()).isZero();
    }
}
