package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.AsyncEvent;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SharedReceiveQueue;
import io.rdmanet.verbs.VerbsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The life of a shared receive queue: its limit event, who outlives whom, and mistakes that are
/// refused.
public abstract class SharedReceiveQueueLifeContract extends VerbsContract {
    private static final int SLOT = 64;

    @BeforeEach
    final void requireCapability() {
        assume(
                Capability.SHARED_RECEIVE_QUEUE,
                Capability.QUEUE_PAIR_MODIFY,
                Capability.GID_CHOICE);
    }

    private SharedReceivers open(int maxReceives) throws Exception {
        return closing(SharedReceivers.open(openContext(), maxReceives, 1, patience()));
    }

    // ---- the limit

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void theLimitIsReportedOnceWhenFewerAreLeft(int limit) throws Exception {
        assume(Capability.ASYNC_EVENTS);
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();
        MemoryRegion source = pair.left().memory(SLOT);
        shared.post(0, 4, shared.memory(4 * SLOT), SLOT);
        shared.queue().arm(limit);
        for (int left = 3; left >= limit; left--) {
            pair.left().postSend(left, source, 0, SLOT);
            pair.left().sends().takeSuccesses(1);
        }
        assertNoLimitEvent(shared);

        pair.left().postSend(9, source, 0, SLOT); // now limit - 1 are left
        pair.left().sends().takeSuccesses(1);

        assertLimitEvent(shared);
        for (int left = limit - 2; left >= 0; left--) {
            pair.left().postSend(left, source, 0, SLOT);
            pair.left().sends().takeSuccesses(1);
        }
        assertNoLimitEvent(shared);
        pair.right().receives().takeSuccesses(4);
    }

    @Test
    void theLimitIsReportedAgainWhenAskedForAgain() throws Exception {
        assume(Capability.ASYNC_EVENTS);
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();
        MemoryRegion source = pair.left().memory(SLOT);
        MemoryRegion target = shared.memory(2 * SLOT);
        for (int round = 0; round < 3; round++) {
            shared.post(0, 2, target, SLOT);
            shared.queue().arm(2);
            for (int i = 0; i < 2; i++) {
                pair.left().postSend(i, source, 0, SLOT);
            }
            pair.left().sends().takeSuccesses(2);
            pair.right().receives().takeSuccesses(2);

            assertLimitEvent(shared);
        }
        assertNoLimitEvent(shared);
    }

    @Test
    void aLimitOfZeroTakesTheWishBack() throws Exception {
        assume(Capability.ASYNC_EVENTS);
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();
        shared.post(0, 2, shared.memory(2 * SLOT), SLOT);
        shared.queue().arm(2);
        shared.queue().arm(0);

        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);
        pair.left().sends().takeSuccesses(1);

        assertNoLimitEvent(shared);
    }

    @Test
    void refusesALimitThatCannotBe() throws Exception {
        assume(Capability.ASYNC_EVENTS);
        SharedReceiveQueue queue = open(4).queue();

        assertThatThrownBy(() -> queue.arm(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> queue.arm(queue.maxReceives() + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void assertLimitEvent(SharedReceivers shared) throws Exception {
        assertThat(Waiting.until(patience(), () -> takesLimitEvent(shared)))
                .as("the limit is reported")
                .isTrue();
    }

    private void assertNoLimitEvent(SharedReceivers shared) throws Exception {
        assertThat(Waiting.until(quiet(), () -> takesLimitEvent(shared)))
                .as("a limit is reported that must not be")
                .isFalse();
    }

    private static boolean takesLimitEvent(SharedReceivers shared) throws Exception {
        AsyncEvent event = shared.domain().context().pollAsyncEvent();
        if (event == null || event.type() != AsyncEvent.Type.SHARED_RECEIVE_QUEUE_LIMIT) {
            return false;
        }
        assertThat(event.element()).isEqualTo(shared.queue().number());
        return true;
    }

    // ---- who outlives whom

    @Test
    void refusesToCloseWhileAQueuePairUsesIt() throws Exception {
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();

        assertThatThrownBy(() -> shared.queue().close()).isInstanceOf(IllegalStateException.class);

        shared.post(0, 1, shared.memory(SLOT), SLOT); // still works
        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);
        pair.right().receives().takeSuccesses(1);
        pair.close();
        shared.queue().close();
    }

    @Test
    void keepsItsDomainOpenAndClosesAnyNumberOfTimes() throws Exception {
        ProtectionDomain domain = closing(openContext().allocateProtectionDomain());
        SharedReceiveQueue queue = closing(domain.createSharedReceiveQueue(1, 1));
        assertThat(queue.protectionDomain()).isSameAs(domain);

        assertThatThrownBy(domain::close).isInstanceOf(IllegalStateException.class);

        queue.close();
        queue.close();
        domain.close();
    }

    @ParameterizedTest
    @EnumSource(MemoryKind.class)
    void aRegionStaysOpenUntilItsReceiveHasCompleted(MemoryKind kind) throws Exception {
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();
        MemoryRegion region = shared.memory(kind, SLOT);
        shared.post(0, 1, region, SLOT);

        assertThatThrownBy(region::close).isInstanceOf(IllegalStateException.class);

        MemoryRegion source = pair.left().memory(SLOT);
        Payload.fill(source.segment(), 0, SLOT, 3);
        pair.left().postSend(1, source, 0, SLOT);
        pair.right().receives().takeSuccesses(1);
        Payload.assertHolds(region.segment(), 0, SLOT, 3);
        region.close();
    }

    @Test
    void aRegionClosesOnceTheQueueIsGone() throws Exception {
        SharedReceivers shared = open(4);
        MemoryRegion region = shared.memory(SLOT);
        shared.post(0, 1, region, SLOT);

        shared.queue().close();

        region.close();
    }

    @Test
    void aRegionClosesOnceTheQueuePairThatTookItsReceiveIsGone() throws Exception {
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();
        MemoryRegion region = shared.memory(SLOT);
        shared.post(0, 1, region, SLOT);
        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);
        pair.left().sends().takeSuccesses(1);

        pair.right().queuePair().close(); // and the completion is lost

        region.close();
    }

    @Test
    void receivesArePostedBeforeThereIsAnyQueuePair() throws Exception {
        SharedReceivers shared = open(4);
        shared.post(0, 4, shared.memory(4 * SLOT), SLOT);

        ConnectedPair pair = shared.connect();
        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);

        assertThat(pair.right().receives().takeSuccesses(1).getFirst().id()).isZero();
    }

    // ---- what it says of itself, and mistakes

    @Test
    void knowsWhatItHoldsAndHasANumberOfItsOwn() throws Exception {
        ProtectionDomain domain = closing(openContext().allocateProtectionDomain());
        SharedReceiveQueue first = closing(domain.createSharedReceiveQueue(5, 2));
        SharedReceiveQueue second = closing(domain.createSharedReceiveQueue(1, 1));

        assertThat(first.maxReceives()).isGreaterThanOrEqualTo(5);
        assertThat(first.maxScatterGather()).isGreaterThanOrEqualTo(2);
        assertThat(first.number()).isNotEqualTo(second.number());
    }

    @Test
    void aQueuePairOnItHasNoReceivesOfItsOwn() throws Exception {
        SharedReceivers shared = open(4);
        ConnectedPair pair = shared.connect();

        assertThat(pair.right().queuePair().sharedReceiveQueue()).isSameAs(shared.queue());
        assertThatThrownBy(() -> pair.right().prepareReceive(1, 1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesQueuePairsOfAnotherDomain() throws Exception {
        SharedReceivers shared = open(4);
        Context context = shared.domain().context();
        ProtectionDomain other = closing(context.allocateProtectionDomain());
        CompletionQueue queue = closing(context.createCompletionQueue(8, null));
        QueuePairInitialAttributes attributes =
                QueuePairInitialAttributes.reliable(queue, queue, QueuePairCapacity.of(1, 1))
                        .withSharedReceiveQueue(shared.queue());

        assertThatThrownBy(() -> other.createQueuePair(attributes))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesWhatLiesOutside() throws Exception {
        SharedReceivers shared = open(2);
        SharedReceiveQueue queue = shared.queue();
        MemoryRegion region = shared.memory(SLOT);
        PostReceive receive = closing(queue.preparePostReceive(1, 2));
        int elements = queue.maxScatterGather();

        assertMistake(() -> queue.preparePostReceive(elements + 1, 1));
        assertMistake(() -> queue.preparePostReceive(1, 0));
        assertMistake(() -> receive.request(2));
        assertMistake(() -> receive.request(0).scatterGather(0, region, 1, SLOT));
        assertMistake(() -> receive.execute(0, 3));
        assertMistake(() -> receive.execute(0, 0));
    }

    private static void assertMistake(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfAny(IllegalArgumentException.class, IndexOutOfBoundsException.class);
    }

    @Test
    void refusesQueuesBeyondTheDevicesLimits() throws Exception {
        Context context = openContext();
        ProtectionDomain domain = closing(context.allocateProtectionDomain());
        int elements = context.queryDevice().maxScatterGather();

        for (int[] asked : new int[][] {{0, 1}, {-1, 1}, {Integer.MAX_VALUE, 1}, {1, -1}}) {
            assertThatThrownBy(() -> domain.createSharedReceiveQueue(asked[0], asked[1]))
                    .as("%d receives of %d elements", asked[0], asked[1])
                    .isInstanceOfAny(IllegalArgumentException.class, VerbsException.class);
        }
        assertThatThrownBy(() -> domain.createSharedReceiveQueue(1, elements + 1000))
                .isInstanceOfAny(IllegalArgumentException.class, VerbsException.class);
    }
}
