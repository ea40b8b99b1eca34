package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.QueuePairType;
import io.rdmanet.verbs.VerbsException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The contract of [ProtectionDomain], but for memory: who belongs to whom, and who outlives whom.
public abstract class ProtectionDomainContract extends VerbsContract {
    private static final int NUMBER_BITS = 24;

    @Test
    void belongsToItsContext() throws Exception {
        Context context = openContext();

        assertThat(closing(context.allocateProtectionDomain()).context()).isSameAs(context);
    }

    @Test
    void createsQueuePairsInReset() throws Exception {
        assume(Capability.QUEUE_PAIR_MODIFY);
        Context context = openContext();
        ProtectionDomain domain = closing(context.allocateProtectionDomain());
        CompletionQueue sends = closing(context.createCompletionQueue(16, null));
        CompletionQueue receives = closing(context.createCompletionQueue(16, null));
        QueuePairCapacity asked = QueuePairCapacity.of(5, 7);

        QueuePair queuePair =
                closing(
                        domain.createQueuePair(
                                QueuePairInitialAttributes.reliable(sends, receives, asked)));

        assertThat(queuePair.state()).isEqualTo(QueuePairState.RESET);
        assertThat(queuePair.type()).isEqualTo(QueuePairType.RELIABLE_CONNECTION);
        assertThat(queuePair.protectionDomain()).isSameAs(domain);
        assertThat(queuePair.sendCompletionQueue()).isSameAs(sends);
        assertThat(queuePair.receiveCompletionQueue()).isSameAs(receives);
        assertThat(queuePair.sharedReceiveQueue()).isNull();
        QueuePairCapacity got = queuePair.capacity();
        assertThat(got.maxSends()).isGreaterThanOrEqualTo(5);
        assertThat(got.maxReceives()).isGreaterThanOrEqualTo(7);
        assertThat(got.maxSendScatterGather()).isGreaterThanOrEqualTo(1);
        assertThat(got.maxReceiveScatterGather()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void numbersQueuePairsDistinctlyInTwentyFourBits() throws Exception {
        assume(Capability.QUEUE_PAIR_MODIFY);
        Context context = openContext();
        ProtectionDomain domain = closing(context.allocateProtectionDomain());
        CompletionQueue queue = closing(context.createCompletionQueue(64, null));
        Set<Integer> numbers = new HashSet<>();

        for (int i = 0; i < 20; i++) {
            int number = closing(createQueuePair(domain, queue)).number();
            assertThat(number).isPositive().isLessThan(1 << NUMBER_BITS);
            numbers.add(number);
        }

        assertThat(numbers).hasSize(20);
    }

    @Test
    void refusesQueuePairsBeyondTheDevicesLimits() throws Exception {
        assume(Capability.QUEUE_PAIR_MODIFY);
        Context context = openContext();
        ProtectionDomain domain = closing(context.allocateProtectionDomain());
        CompletionQueue queue = closing(context.createCompletionQueue(1, null));
        int requests = context.queryDevice().maxWorkRequests();
        int elements = context.queryDevice().maxScatterGather();

        assertCreationRefused(domain, queue, QueuePairCapacity.of(requests + 1, 1));
        assertCreationRefused(domain, queue, QueuePairCapacity.of(1, requests + 1));
        assertCreationRefused(domain, queue, new QueuePairCapacity(1, 1, elements + 1, 1, 0));
        assertCreationRefused(domain, queue, new QueuePairCapacity(1, 1, 1, elements + 1, 0));
    }

    private static void assertCreationRefused(
            ProtectionDomain domain, CompletionQueue queue, QueuePairCapacity capacity) {
        assertThatThrownBy(() ->
                        domain.createQueuePair(
                                QueuePairInitialAttributes.reliable(queue, queue, capacity)))
                .as("%s", capacity)
                .isInstanceOfAny(IllegalArgumentException.class, VerbsException.class);
    }

    @Test
    void refusesToCloseWhileAMemoryRegionIsOpen() throws Exception {
        Context context = openContext();
        ProtectionDomain domain = closing(context.allocateProtectionDomain());
        MemoryRegion region = closing(domain.allocate(64, EnumSet.of(AccessFlag.LOCAL_WRITE)));

        assertThatThrownBy(domain::close).isInstanceOf(IllegalStateException.class);

        region.close();
        domain.close();
    }

    @Test
    void refusesToCloseWhileAQueuePairIsOpen() throws Exception {
        assume(Capability.QUEUE_PAIR_MODIFY);
        Context context = openContext();
        ProtectionDomain domain = closing(context.allocateProtectionDomain());
        CompletionQueue queue = closing(context.createCompletionQueue(4, null));
        QueuePair queuePair = closing(createQueuePair(domain, queue));

        assertThatThrownBy(domain::close).isInstanceOf(IllegalStateException.class);

        queuePair.close();
        domain.close();
    }

    @Test
    void closesAnyNumberOfTimes() throws Exception {
        ProtectionDomain domain = openContext().allocateProtectionDomain();

        domain.close();
        domain.close();
    }

    @Test
    void failsLoudlyAfterItWasClosed() throws Exception {
        ProtectionDomain domain = openContext().allocateProtectionDomain();

        domain.close();

        assertThatThrownBy(() -> domain.allocate(64, EnumSet.of(AccessFlag.LOCAL_WRITE)))
                .isInstanceOfAny(IllegalStateException.class, VerbsException.class);
    }

    @Test
    void closingOneLeavesOthersAlone() throws Exception {
        Context context = openContext();
        ProtectionDomain first = closing(context.allocateProtectionDomain());
        ProtectionDomain second = closing(context.allocateProtectionDomain());

        first.close();

        closing(second.allocate(64, EnumSet.of(AccessFlag.LOCAL_WRITE)));
    }

    private static QueuePair createQueuePair(ProtectionDomain domain, CompletionQueue queue)
            throws VerbsException {
        return domain.createQueuePair(
                QueuePairInitialAttributes.reliable(queue, queue, QueuePairCapacity.of(1, 1)));
    }
}
