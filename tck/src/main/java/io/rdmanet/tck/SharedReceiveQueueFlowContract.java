package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.QueuePairAttributes;
import io.rdmanet.verbs.QueuePairState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Many messages from many senders at once through one shared receive queue, with each payload
/// checked: by as many threads as the SPI allows, and from other processes.
public abstract class SharedReceiveQueueFlowContract extends VerbsContract {
    private static final int LENGTH = ConnectedPeer.LENGTH;

    /// Slots beyond what the queue holds.
    private static final int SPARE = 8;

    @BeforeEach
    final void requireCapability() {
        assume(
                Capability.SHARED_RECEIVE_QUEUE,
                Capability.QUEUE_PAIR_MODIFY,
                Capability.GID_CHOICE);
    }

    /// A poller for each receiving end, and one thread that posts again what they have checked.
    private final class Sharing {
        private final MemoryRegion target;
        private final PostReceive receive;
        private final ConcurrentLinkedQueue<Long> free = new ConcurrentLinkedQueue<>();

        Sharing(SharedReceivers shared, int depth) throws Exception {
            target = shared.memory((long) depth * LENGTH);
            receive = closing(shared.queue().preparePostReceive(1, 1));
            for (long slot = 0; slot < depth; slot++) {
                free.add(slot);
            }
        }

        /// Posts what is free.
        ///
        /// @return whether there was any
        boolean repost() throws Exception {
            boolean hasPosted = false;
            for (Long slot = free.peek(); slot != null; slot = free.peek()) {
                receive.request(0)
                        .workRequestId(slot)
                        .scatterGather(0, target, slot * LENGTH, LENGTH);
                if (receive.execute(0, 1) == 0) {
                    break;
                }
                free.remove();
                hasPosted = true;
            }
            return hasPosted;
        }

        /// Takes and checks messages numbered from `first`; so many.
        void take(PairEnd end, int first, int count) throws Exception {
            for (int i = first; i < first + count; i++) {
                Completion received = end.receives().takeSuccesses(1).getFirst();
                assertThat(received.byteLength()).isEqualTo(LENGTH);
                assertThat(received.queuePairNumber()).isEqualTo(end.queuePair().number());
                Payload.assertHolds(target.segment(), received.id() * LENGTH, LENGTH, i);
                free.add(received.id());
            }
        }

        Void sendAll(PairEnd end, int count) throws Exception {
            MemoryRegion source = end.memory(LENGTH);
            for (int i = 0; i < count; i++) {
                Payload.fill(source.segment(), 0, LENGTH, i);
                end.postSend(i, source, 0, LENGTH);
                end.sends().takeSuccesses(1);
            }
            return null;
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "2, 3", "4, 16", "3, 64"})
    void sendersAtOnceEachKeepTheirOrderThroughEveryWrap(int senders, int depth) throws Exception {
        int each = manyMessages() / (depth < senders ? 200 : 20) / senders;
        SharedReceivers shared = closing(SharedReceivers.open(openContext(), depth, 1, patience()));
        Sharing sharing = new Sharing(shared, depth);
        List<Running<Void>> running = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            ConnectedPair pair = shared.connect();
            running.add(start("sender-" + i, () -> sharing.sendAll(pair.left(), each)));
            running.add(
                    start(
                            "receiver-" + i,
                            () -> {
                                sharing.take(pair.right(), 0, each);
                                return null;
                            }));
        }

        Waiting waiting = new Waiting(patience().multipliedBy(4));
        while (running.stream().anyMatch(part -> !part.task().isDone())) {
            if (!sharing.repost()) {
                assertThat(waiting.pause()).as("progress").isTrue();
            }
        }

        for (Running<Void> part : running) {
            part.join();
        }
    }

    @Test
    void twoProcessesShareTheReceives() throws Exception {
        assume(Capability.DEVICE_CHOICE, Capability.DEVICE_LIST);
        int count = 2_000;
        SharedReceivers shared = closing(SharedReceivers.open(openContext(), 4, 1, patience()));
        Sharing sharing = new Sharing(shared, 4);
        sharing.repost();
        PairEnd first = openEnd(shared);
        PairEnd second = openEnd(shared);
        PeerProcess firstPeer = connect(shared, first, count);
        PeerProcess secondPeer = connect(shared, second, count);
        firstPeer.tell("go");
        secondPeer.tell("go");

        Running<Void> taking =
                start(
                        "receiver",
                        () -> {
                            sharing.take(first, 0, count);
                            return null;
                        });
        Running<Void> alsoTaking =
                start(
                        "receiver",
                        () -> {
                            sharing.take(second, 0, count);
                            return null;
                        });
        Waiting waiting = new Waiting(patience().multipliedBy(4));
        while (!taking.task().isDone() || !alsoTaking.task().isDone()) {
            if (!sharing.repost()) {
                assertThat(waiting.pause()).as("progress").isTrue();
            }
        }
        taking.join();
        alsoTaking.join();

        firstPeer.awaitLine("sent ", patience());
        secondPeer.awaitLine("sent ", patience());
    }

    @Test
    void aSenderThatIsKilledTakesNoReceiveWithIt() throws Exception {
        assume(Capability.DEVICE_CHOICE, Capability.DEVICE_LIST);
        SharedReceivers shared = closing(SharedReceivers.open(openContext(), 3, 1, patience()));
        int capacity = shared.queue().maxReceives();
        Sharing sharing = new Sharing(shared, capacity + SPARE);
        ConnectedPair survivor = shared.connect();
        for (int round = 0; round < 3; round++) {
            sharing.repost();
            PairEnd end = openEnd(shared);
            PeerProcess peer = connect(shared, end, 0);
            peer.tell("go");
            for (int i = 0; i < 200 + 31 * round; i++) {
                sharing.take(end, i, 1);
                sharing.repost();
            }
            peer.kill();
            peer.awaitEnd(patience());

            // Whatever the dead one had begun completes in some way, or is nobody's again when its
            // queue pair is gone; its slot is lost to this test then, but not its room.
            end.queuePair().modify(QueuePairAttributes.to(QueuePairState.ERROR));
            boolean ignored = Waiting.until(quiet(), () -> false);
            for (Completion rest : end.receives().drain()) {
                sharing.free.add(rest.id());
            }
            end.close();

            sharing.repost();
            MemoryRegion source = survivor.left().memory(LENGTH);
            for (int i = 0; i < capacity; i++) { // each of them finds a receive
                Payload.fill(source.segment(), 0, LENGTH, i);
                survivor.left().postSend(i, source, 0, LENGTH);
                sharing.take(survivor.right(), i, 1);
                survivor.left().sends().takeSuccesses(1);
            }
        }
    }

    private PairEnd openEnd(SharedReceivers shared) throws Exception {
        return closing(
                new PairEnd(
                        shared.domain(),
                        PairOptions.ofDepth(1, 1).withCompletionCapacity(64),
                        patience(),
                        (domain, attributes) ->
                                domain.createQueuePair(
                                        attributes.withSharedReceiveQueue(shared.queue()))));
    }

    /// Starts a process and connects an end with it.
    private PeerProcess connect(SharedReceivers shared, PairEnd end, int count) throws Exception {
        Path path = shared.path();
        GlobalIdentifier own = path.vector().destinationGid();
        PeerProcess peer =
                closing(
                        PeerProcess.start(
                                ConnectedPeer.class,
                                provider().name(),
                                firstDevice(),
                                Long.toString(own.high()),
                                Long.toString(own.low()),
                                Integer.toString(end.queuePair().number()),
                                Integer.toString(count),
                                Long.toString(patience().toSeconds())));
        String[] answer = peer.awaitLine("queue pair ", patience()).split(" ", 3);
        GlobalIdentifier gid =
                new GlobalIdentifier(Long.parseLong(answer[0]), Long.parseLong(answer[1]));
        int number = Integer.parseInt(answer[2]);
        end.queuePair().modify(path.toInit(end.fullAccess()));
        end.queuePair().modify(path.to(gid).toReadyToReceive(number, ConnectedPeer.SEQUENCE));
        end.queuePair().modify(ConnectedPair.toReadyToSend(ConnectedPeer.SEQUENCE, end.options()));
        return peer;
    }
}
