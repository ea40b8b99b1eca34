package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.tck.fault.FaultPlan;
import io.rdmanet.tck.fault.FaultyProvider;
import io.rdmanet.tck.fault.Resource;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostException;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePairState;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The faults of a [FaultPlan] happen when they were ordered, and not otherwise: what tests of the
/// layers above stand on.
public abstract class FaultyProviderContract extends VerbsContract {
    private static final int SLOT = 64;

    private final FaultPlan plan = new FaultPlan();

    /// The provider to be wrapped.
    protected abstract VerbsProvider soundProvider();

    @Override
    protected final VerbsProvider provider() {
        return new FaultyProvider(soundProvider(), plan);
    }

    /// Runs before the test's own resources are closed, and must not stand in the way of that.
    @AfterEach
    final void cancelFaults() {
        plan.cancelAll();
    }

    @Test
    void countsWhatIsOpen() throws Exception {
        ConnectedPair pair = connect();
        pair.left().memory(SLOT);

        assertThat(plan.open())
                .containsEntry(Resource.QUEUE_PAIR, 2)
                .containsEntry(Resource.PROTECTION_DOMAIN, 2)
                .containsEntry(Resource.COMPLETION_QUEUE, 4)
                .containsEntry(Resource.MEMORY_REGION, 1);
        pair.close();
        pair.close();

        assertThat(plan.open())
                .doesNotContainKeys(
                        Resource.QUEUE_PAIR,
                        Resource.PROTECTION_DOMAIN,
                        Resource.COMPLETION_QUEUE,
                        Resource.MEMORY_REGION);
    }

    @Test
    void countsSharedReceiveQueuesAndFailsTheirReceives() throws Exception {
        assume(
                Capability.SHARED_RECEIVE_QUEUE,
                Capability.QUEUE_PAIR_MODIFY,
                Capability.GID_CHOICE);
        SharedReceivers shared = closing(SharedReceivers.open(openContext(), 4, 1, patience()));
        ConnectedPair pair = shared.connect();
        MemoryRegion target = shared.memory(SLOT);
        assertThat(plan.open()).containsEntry(Resource.SHARED_RECEIVE_QUEUE, 1);
        plan.failReceiveExecution(1);

        assertThatThrownBy(() -> shared.tryPost(1, target, 0, SLOT))
                .isInstanceOf(PostException.class);
        shared.post(0, 1, target, SLOT);
        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);
        pair.right().receives().takeSuccesses(1);
        pair.left().sends().takeSuccesses(1);
        shared.close();

        assertThat(plan.open()).doesNotContainKey(Resource.SHARED_RECEIVE_QUEUE);
    }

    @Test
    void countsAddressHandles() throws Exception {
        assume(Capability.UNRELIABLE_DATAGRAM, Capability.QUEUE_PAIR_MODIFY, Capability.GID_CHOICE);
        DatagramEnd end =
                closing(DatagramEnd.open(openContext(), PairOptions.defaults(), patience()));
        end.postReceives(1, end.memory(1, SLOT), SLOT);

        end.send(1, end.memory(1, SLOT), 0, SLOT, end);

        end.receives().takeSuccesses(1);
        end.sends().takeSuccesses(1);
        assertThat(plan.open()).containsEntry(Resource.ADDRESS_HANDLE, 1);
        end.close();
        assertThat(plan.open()).doesNotContainKey(Resource.ADDRESS_HANDLE);
    }

    @Test
    void failsTheNthCreationOnce() throws Exception {
        ConnectedPair pair = connect();
        Map<Resource, Integer> before = plan.open();
        plan.failCreation(EnumSet.of(Resource.MEMORY_REGION), 2);

        pair.left().memory(SLOT);
        assertThatThrownBy(() -> pair.left().memory(SLOT))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(ErrorNumber.ENOMEM))
                .hasMessageContaining("MEMORY_REGION");
        assertThat(plan.hasFailedCreation()).isTrue();
        pair.left().memory(SLOT);

        int regions = before.getOrDefault(Resource.MEMORY_REGION, 0);
        assertThat(plan.open()).containsEntry(Resource.MEMORY_REGION, regions + 2);
    }

    @Test
    void refusesTheNthExecutionOnce() throws Exception {
        ConnectedPair pair = connect();
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);
        send.request(0)
                .flags(SendFlags.SIGNALED)
                .scatterGather(0, pair.left().memory(SLOT), 0, SLOT);
        PostReceive receive = pair.right().prepareReceive(1, 1);
        receive.request(0).scatterGather(0, pair.right().memory(SLOT), 0, SLOT);
        plan.failSendExecution(2);
        plan.failReceiveExecution(2);

        assertThat(receive.execute(0, 1)).isEqualTo(1);
        assertThatThrownBy(() -> receive.execute(0, 1)).isInstanceOf(PostException.class);
        assertThat(receive.execute(0, 1)).isEqualTo(1);
        assertThat(send.execute(0, 1)).isEqualTo(1);
        assertThatThrownBy(() -> send.execute(0, 1)).isInstanceOf(PostException.class);
        assertThat(send.execute(0, 1)).isEqualTo(1);

        pair.left().sends().takeSuccesses(2);
        pair.right().receives().takeSuccesses(2);
        pair.left().sends().assertSilentFor(quiet());
    }

    @Test
    void letsTheSendQueueLookFull() throws Exception {
        ConnectedPair pair = connect();
        pair.right().postReceives(4, pair.right().memory(4 * SLOT), SLOT);
        MemoryRegion source = pair.left().memory(SLOT);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 4);
        for (int i = 0; i < 4; i++) {
            send.request(i).flags(SendFlags.SIGNALED).scatterGather(0, source, 0, SLOT);
        }
        plan.limitSends(2, 1);

        assertThat(send.execute(0, 4)).isEqualTo(1);
        assertThat(send.execute(1, 3)).isEqualTo(1);
        assertThat(send.execute(2, 2)).isEqualTo(2);

        pair.left().sends().takeSuccesses(4);
        pair.right().receives().takeSuccesses(4);
        plan.limitSends(1, 0);
        assertThat(send.execute(0, 1)).isZero();
    }

    @Test
    void hidesCompletionsWhileStalledAndLosesNone() throws Exception {
        ConnectedPair pair = connect();
        pair.right().postReceives(3, pair.right().memory(3 * SLOT), SLOT);
        plan.stallCompletions();
        for (int i = 0; i < 3; i++) {
            pair.left().postSend(i, pair.left().memory(SLOT), 0, SLOT);
        }

        pair.left().sends().assertSilentFor(quiet());
        plan.resumeCompletions();

        pair.left().sends().takeSuccesses(3);
        pair.right().receives().takeSuccesses(3);
    }

    @Test
    void delaysCompletionsByPolls() throws Exception {
        ConnectedPair pair = connect();
        pair.right().postReceives(1, pair.right().memory(SLOT), SLOT);
        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);
        pair.left().sends().takeSuccesses(1);
        plan.delayCompletions(3);
        var poll = pair.right().receiveQueue().preparePoll(4);

        assertThat(List.of(poll.execute(), poll.execute(), poll.execute()))
                .containsExactly(0, 0, 0);
        assertThat(poll.execute()).isEqualTo(1);
    }

    @Test
    void losesNoEventWhileCompletionsAreDelayed() throws Exception {
        ConnectedPair pair =
                connect(PairOptions.defaults().withLayout(CompletionLayout.SEPARATE_WITH_CHANNEL));
        PairEnd right = pair.right();
        right.postReceives(1, right.memory(SLOT), SLOT);
        plan.delayCompletions(2);
        var poll = right.receiveQueue().preparePoll(4);
        pair.left().postSend(1, pair.left().memory(SLOT), 0, SLOT);
        pair.left().sends().takeSuccesses(1);

        int found = 0;
        for (int rounds = 0; found == 0 && rounds < 100; rounds++) {
            right.receiveQueue().requestNotification(false);
            found = poll.execute();
            if (found == 0) {
                assertThat(right.channel().awaitEvent(patience().toNanos()))
                        .isSameAs(right.receiveQueue());
            }
        }

        assertThat(found).isEqualTo(1);
    }

    @Test
    void failsCompletionsAndTheirQueuePair() throws Exception {
        ConnectedPair pair = connect();
        pair.right().postReceives(4, pair.right().memory(4 * SLOT), SLOT);
        plan.failCompletionsAfter(1, CompletionStatus.REMOTE_OPERATION_ERROR);
        for (int i = 0; i < 3; i++) {
            pair.left().postSend(i, pair.left().memory(SLOT), 0, SLOT);
        }

        assertThat(pair.left().sends().take(3))
                .extracting(Completion::status)
                .containsExactly(
                        CompletionStatus.SUCCESS,
                        CompletionStatus.REMOTE_OPERATION_ERROR,
                        CompletionStatus.WORK_REQUEST_FLUSH_ERROR);
        pair.left().awaitState(QueuePairState.ERROR);
        assertThat(pair.right().queuePair().state()).isEqualTo(QueuePairState.READY_TO_SEND);
    }
}
