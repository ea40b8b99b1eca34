package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.VerbsException;
import org.junit.jupiter.api.Test;

/// The data path allocates nothing once it is warm.
public abstract class NoAllocationContract extends VerbsContract {
    private static final int SLOT = 64;
    private static final int CHAIN = 8;

    /// Bytes in a whole run of many thousand messages that are not the data path's: the JIT's and
    /// the measurement's own.
    private static final long ALLOWANCE_BYTES = 4096;

    /// Chains of messages in each run that is measured.
    protected int chainsPerRun() {
        return 20_000;
    }

    /// Asked for once per test, since a Duration is an allocation.
    private long patienceNanos;

    /// One chain: posted, moved, polled on both ends.
    @FunctionalInterface
    private interface Round {
        void run() throws VerbsException;
    }

    @Test
    void sendingReceivingAndPollingAllocatesNothing() throws Exception {
        ConnectedPair pair = connect(PairOptions.ofDepth(2 * CHAIN, 2 * CHAIN));
        MemoryRegion source = pair.left().memory(CHAIN * SLOT);
        MemoryRegion target = pair.right().memory(CHAIN * SLOT);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, CHAIN);
        PostReceive receive = pair.right().prepareReceive(1, CHAIN);
        PollCompletions sends = pair.left().sendQueue().preparePoll(CHAIN);
        PollCompletions receives = pair.right().receiveQueue().preparePoll(CHAIN);

        assertAllocatesNothing(() -> {
            for (int i = 0; i < CHAIN; i++) {
                long offset = (long) i * SLOT;
                receive.request(i).workRequestId(i).scatterGather(0, target, offset, SLOT);
                send.request(i)
                        .workRequestId(i)
                        .flags(i == CHAIN - 1 ? SendFlags.SIGNALED : SendFlags.NONE)
                        .scatterGather(0, source, offset, SLOT - i);
            }
            requireAccepted(receive.execute(0, CHAIN));
            requireAccepted(send.execute(0, CHAIN));
            poll(receives, CHAIN);
            poll(sends, 1);
        });
    }

    @Test
    void writingAllocatesNothing() throws Exception {
        assume(Capability.ONE_SIDED);
        ConnectedPair pair = connect(PairOptions.ofDepth(2 * CHAIN, 2 * CHAIN));
        MemoryRegion source = pair.left().memory(CHAIN * SLOT);
        MemoryRegion target = pair.right().memory(CHAIN * SLOT);
        PostSend write = pair.left().prepareSend(SendOpcode.RDMA_WRITE, CHAIN);
        PollCompletions sends = pair.left().sendQueue().preparePoll(CHAIN);

        assertAllocatesNothing(() -> {
            for (int i = 0; i < CHAIN; i++) {
                long offset = (long) i * SLOT;
                write.request(i)
                        .flags(SendFlags.SIGNALED)
                        .scatterGather(0, source, offset, SLOT)
                        .remote(target.address() + offset, target.remoteKey());
            }
            requireAccepted(write.execute(0, CHAIN));
            poll(sends, CHAIN);
        });
    }

    @Test
    void datagramsAllocateNothing() throws Exception {
        assume(Capability.UNRELIABLE_DATAGRAM, Capability.QUEUE_PAIR_MODIFY, Capability.GID_CHOICE);
        PairOptions options = PairOptions.ofDepth(2 * CHAIN, 2 * CHAIN);
        DatagramEnd sender = closing(DatagramEnd.open(openContext(), options, patience()));
        DatagramEnd receiver = closing(DatagramEnd.open(sender.context(), options, patience()));
        MemoryRegion source = sender.memory(CHAIN, SLOT);
        MemoryRegion target = receiver.memory(CHAIN, SLOT);
        PostSend send = sender.prepareSend(SendOpcode.SEND, CHAIN);
        PostReceive receive = receiver.end().prepareReceive(1, CHAIN);
        PollCompletions sends = sender.end().sendQueue().preparePoll(CHAIN);
        PollCompletions receives = receiver.end().receiveQueue().preparePoll(CHAIN);
        AddressHandle handle = sender.handleTo(receiver.gid());
        int number = receiver.queuePair().number();
        int room = DatagramEnd.ROUTE + SLOT;

        assertAllocatesNothing(() -> {
            for (int i = 0; i < CHAIN; i++) {
                long offset = (long) i * room;
                receive.request(i).workRequestId(i).scatterGather(0, target, offset, room);
                send.request(i)
                        .flags(i == CHAIN - 1 ? SendFlags.SIGNALED : SendFlags.NONE)
                        .scatterGather(0, source, offset, SLOT - i)
                        .datagram(handle, number, DatagramEnd.QUEUE_KEY);
            }
            requireAccepted(receive.execute(0, CHAIN));
            requireAccepted(send.execute(0, CHAIN));
            poll(receives, CHAIN);
            poll(sends, 1);
        });
    }

    @Test
    void aSharedReceiveQueueAllocatesNothing() throws Exception {
        assume(
                Capability.SHARED_RECEIVE_QUEUE,
                Capability.QUEUE_PAIR_MODIFY,
                Capability.GID_CHOICE);
        SharedReceivers shared =
                closing(SharedReceivers.open(openContext(), 2 * CHAIN, 1, patience()));
        ConnectedPair pair = shared.connect(PairOptions.ofDepth(2 * CHAIN, 1));
        MemoryRegion source = pair.left().memory(CHAIN * SLOT);
        MemoryRegion target = shared.memory(CHAIN * SLOT);
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, CHAIN);
        PostReceive receive = closing(shared.queue().preparePostReceive(1, CHAIN));
        PollCompletions sends = pair.left().sendQueue().preparePoll(CHAIN);
        PollCompletions receives = pair.right().receiveQueue().preparePoll(CHAIN);

        assertAllocatesNothing(() -> {
            for (int i = 0; i < CHAIN; i++) {
                long offset = (long) i * SLOT;
                receive.request(i).workRequestId(i).scatterGather(0, target, offset, SLOT);
                send.request(i)
                        .flags(i == CHAIN - 1 ? SendFlags.SIGNALED : SendFlags.NONE)
                        .scatterGather(0, source, offset, SLOT - i);
            }
            requireAccepted(receive.execute(0, CHAIN));
            requireAccepted(send.execute(0, CHAIN));
            poll(receives, CHAIN);
            poll(sends, 1);
        });
    }

    @Test
    void pollingAnEmptyQueueAllocatesNothing() throws Exception {
        PollCompletions poll = connect().left().sendQueue().preparePoll(CHAIN);

        assertAllocatesNothing(() -> {
            if (poll.execute() != 0) {
                throw new AssertionError("a completion from nowhere");
            }
        });
    }

    private void assertAllocatesNothing(Round round) throws VerbsException {
        skipUnless(AllocatedBytes.areCounted(), "this JVM does not count what threads allocate");
        patienceNanos = patience().toNanos();
        // On a busy machine compilation comes late, and what it will remove is allocated till then:
        // a
        // path that allocates once it is warm does so in every run up to the deadline.
        long deadline = System.nanoTime() + patienceNanos;
        long least = Long.MAX_VALUE;
        do {
            long before = AllocatedBytes.ofThisThread();
            for (int i = 0; i < chainsPerRun(); i++) {
                round.run();
            }
            least = Math.min(least, AllocatedBytes.ofThisThread() - before);
        } while (least > ALLOWANCE_BYTES && System.nanoTime() - deadline < 0);
        assertThat(least)
                .as("bytes allocated by %d chains", chainsPerRun())
                .isLessThanOrEqualTo(ALLOWANCE_BYTES);
    }

    private static void requireAccepted(int accepted) {
        if (accepted != CHAIN) {
            throw new AssertionError("accepted " + accepted + " of " + CHAIN);
        }
    }

    private void poll(PollCompletions poll, int count) throws VerbsException {
        long deadline = System.nanoTime() + patienceNanos;
        int seen = 0;
        while (seen < count) {
            int found = poll.execute();
            for (int i = 0; i < found; i++) {
                if (poll.status(i) != CompletionStatus.SUCCESS) {
                    throw new AssertionError(poll.status(i).name());
                }
            }
            seen += found;
            if (found == 0) {
                Thread.onSpinWait();
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError("only " + seen + " of " + count + " completions");
                }
            }
        }
    }
}
