package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What happens to work whose peer does not answer: it fails in bounded time, and what was posted
/// behind it is flushed.
public abstract class TransportRetryContract extends VerbsContract {
    private static final int SLOT = 64;

    private static final int RETRIES = 2;

    /// How long a packet is waited for: 4.096 us * 2^10 = 4 ms. A device that is slower to answer
    /// takes more.
    protected int timeoutExponent() {
        return 10;
    }

    private PairOptions options() {
        return PairOptions.defaults().withRetries(RETRIES, timeoutExponent());
    }

    @BeforeEach
    final void requireCapabilities() {
        assume(Capability.QUEUE_PAIR_MODIFY, Capability.GID_CHOICE);
        skipUnless(pairing() == Pairing.MODIFY, "the connection manager chooses the timeout");
    }

    @Test
    void givesUpWhenThePeersQueuePairIsGone() throws Exception {
        ConnectedPair pair = connect(options());
        pair.right().postReceives(4, pair.right().memory(4 * SLOT), SLOT);
        pair.right().queuePair().close();

        assertGivesUp(pair);
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairState.class,
            names = {"RESET", "ERROR"})
    void givesUpWhenThePeerHasLeftTheConnection(QueuePairState state) throws Exception {
        ConnectedPair pair = connect(options());
        pair.right().queuePair().modify(QueuePairAttributes.to(state));

        assertGivesUp(pair);
    }

    @Test
    void givesUpWhenThePeerNeverBecameReady() throws Exception {
        ConnectedPair pair = connect(options());
        Path path = pair.pathToLeft();
        pair.right().queuePair().modify(QueuePairAttributes.to(QueuePairState.RESET));
        pair.right().queuePair().modify(path.toInit(pair.right().fullAccess()));
        pair.right().postReceives(4, pair.right().memory(4 * SLOT), SLOT);

        assertGivesUp(pair);
    }

    @Test
    void givesUpWhenThePeerIsConnectedToAnother() throws Exception {
        ConnectedPair pair = connect(options());
        ConnectedPair other = connect(options());
        Path path = pair.pathToLeft();
        pair.right().queuePair().modify(QueuePairAttributes.to(QueuePairState.RESET));
        pair.right().queuePair().modify(path.toInit(pair.right().fullAccess()));
        pair.right().postReceives(4, pair.right().memory(4 * SLOT), SLOT);
        pair.right()
                .queuePair()
                .modify(path.toReadyToReceive(other.right().queuePair().number(), 123_456));

        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);

        assertThat(pair.left().sends().take().succeeded()).isFalse();
        assertThat(pair.right().receives().drain()).as("received from a stranger").isEmpty();
    }

    @Test
    void oneSidedWorkGivesUpAsWell() throws Exception {
        assume(Capability.ONE_SIDED);
        ConnectedPair pair = connect(options());
        MemoryRegion source = pair.left().memory(SLOT);
        MemoryRegion target = pair.right().memory(SLOT);
        long address = target.address();
        int key = target.remoteKey();
        pair.right().queuePair().close();

        OneSided.write(pair.left(), 1, source, SLOT, address, key);

        assertThat(pair.left().sends().take().status())
                .isEqualTo(CompletionStatus.RETRY_EXCEEDED_ERROR);
        pair.left().awaitState(QueuePairState.ERROR);
        Payload.assertUntouched(target.segment(), 0, SLOT, (byte) 0);
    }

    @Test
    void workThatWaitedForAReceiveGivesUpWhenThePeerGoes() throws Exception {
        ConnectedPair pair = connect(options());
        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);
        pair.left().sends().assertSilentFor(quiet());

        pair.right().queuePair().close();

        assertThat(pair.left().sends().take().status())
                .isEqualTo(CompletionStatus.RETRY_EXCEEDED_ERROR);
    }

    private void assertGivesUp(ConnectedPair pair) throws Exception {
        MemoryRegion source = pair.left().memory(SLOT);
        pair.left().postReceives(2, pair.left().memory(2 * SLOT), SLOT);

        for (int i = 0; i < 3; i++) {
            pair.left().postSend(i, source, 0, SLOT, SendFlags.NONE);
        }

        List<Completion> failed = pair.left().sends().take(3);
        assertThat(failed).extracting(Completion::id).containsExactly(0L, 1L, 2L);
        assertThat(failed)
                .extracting(Completion::status)
                .containsExactly(
                        CompletionStatus.RETRY_EXCEEDED_ERROR,
                        CompletionStatus.WORK_REQUEST_FLUSH_ERROR,
                        CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
        assertThat(pair.left().receives().take(2))
                .extracting(Completion::status)
                .containsOnly(CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
        pair.left().awaitState(QueuePairState.ERROR);
    }
}
