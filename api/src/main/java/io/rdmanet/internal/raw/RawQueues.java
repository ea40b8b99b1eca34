package io.rdmanet.internal.raw;

import io.rdmanet.RawOptions;
import io.rdmanet.internal.setup.Rendezvous;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.DeviceAttributes;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.VerbsException;
import io.rdmanet.verbs.VerbsProvider;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The verbs objects of one raw connection, closed in the order that verbs demand: prepared
/// requests, queue pair, completion queues, memory regions, protection domain.
final class RawQueues implements AutoCloseable {
    /// Completions taken by one poll.
    static final int POLL_BATCH = 32;

    /// Sends beyond the transmit depth: the end of a run, the goodbye.
    private static final int CONTROL_SENDS = 2;

    /// Where the frame that is received lies in the control region, behind the one that is sent.
    static final long CONTROL_RECEIVE_OFFSET = 128;

    /// Room for more than a HELLO, so that the longer one of another version is read, too.
    private static final int CONTROL_RECEIVE_BYTES = 128;

    private static final long CONTROL_BYTES = CONTROL_RECEIVE_OFFSET + CONTROL_RECEIVE_BYTES;

    private final VerbsProvider provider;
    private final RawProbe probe;
    private final Deque<AutoCloseable> prepared = new ArrayDeque<>();
    private final Deque<AutoCloseable> queues = new ArrayDeque<>();
    private final Deque<AutoCloseable> memory = new ArrayDeque<>();
    private final ProtectionDomain protectionDomain;
    private final QueuePair queuePair;
    private final MemoryRegion control;
    private final PollCompletions sendPoll;
    private final PollCompletions receivePoll;
    private final int maxTransmitDepth;

    private RawQueues(Rendezvous rendezvous, int wantedDepth, RawProbe probe) throws IOException {
        this.provider = rendezvous.selection().provider();
        this.probe = probe;
        try {
            DeviceAttributes device = rendezvous.context().queryDevice();
            this.maxTransmitDepth = wantedDepth > 0 ? wantedDepth : maxDepth(device);
            protectionDomain = keep(memory, rendezvous.context().allocateProtectionDomain());
            control = keep(memory, protectionDomain.allocate(CONTROL_BYTES, accessFlags(provider)));
            int sends = maxTransmitDepth + CONTROL_SENDS;
            int receives = RawLayout.receiveCount(maxTransmitDepth);
            CompletionQueue sendQueue =
                    keep(queues, rendezvous.context().createCompletionQueue(sends, null));
            CompletionQueue receiveQueue =
                    keep(queues, rendezvous.context().createCompletionQueue(receives, null));
            QueuePairCapacity capacity = QueuePairCapacity.of(sends, receives);
            queuePair =
                    keep(
                            queues,
                            rendezvous.createQueuePair(
                                    protectionDomain,
                                    QueuePairInitialAttributes.reliable(
                                            sendQueue, receiveQueue, capacity)));
            sendPoll = probe.timed(sendQueue.preparePoll(POLL_BATCH), true);
            receivePoll = probe.timed(receiveQueue.preparePoll(POLL_BATCH), false);
            postControlReceive();
        } catch (IOException | RuntimeException failure) {
            close();
            throw failure;
        }
    }

    /// Makes them, with the one receive posted that the peer's HELLO needs.
    ///
    /// @param wantedDepth the transmit depth, or 0 to have room for any
    /// @param probe measures what is kept here, and the polls
    static RawQueues create(Rendezvous rendezvous, int wantedDepth, RawProbe probe)
            throws IOException {
        DeviceAttributes device = rendezvous.context().queryDevice();
        if (wantedDepth > maxDepth(device)) {
            throw new VerbsException(
                    "create_qp",
                    "a transmit depth of "
                            + wantedDepth
                            + " is more than "
                            + rendezvous.context().deviceName()
                            + " takes ("
                            + maxDepth(device)
                            + "): lower it");
        }
        return new RawQueues(rendezvous, wantedDepth, probe);
    }

    private static int maxDepth(DeviceAttributes device) {
        int entries = Math.min(device.maxWorkRequests(), device.maxCompletionQueueEntries());
        int reserved = Math.max(CONTROL_SENDS, RawLayout.CONTROL_RECEIVES);
        return Math.clamp((long) entries - reserved, 1, RawOptions.MAX_TRANSMIT_DEPTH);
    }

    private static Set<AccessFlag> accessFlags(VerbsProvider provider) {
        Set<AccessFlag> flags = EnumSet.of(AccessFlag.LOCAL_WRITE);
        if (provider.capabilities().contains(Capability.ONE_SIDED)) {
            flags.add(AccessFlag.REMOTE_WRITE);
            flags.add(AccessFlag.REMOTE_READ);
        }
        if (provider.capabilities().contains(Capability.ATOMICS)) {
            flags.add(AccessFlag.REMOTE_ATOMIC);
        }
        return flags;
    }

    private void postControlReceive() throws VerbsException {
        try (PostReceive receive = queuePair.preparePostReceive(1, 1)) {
            receive.request(0)
                    .scatterGather(0, control, CONTROL_RECEIVE_OFFSET, CONTROL_RECEIVE_BYTES);
            if (receive.execute(0, 1) != 1) {
                throw new VerbsException("post_recv", "a fresh receive queue took no receive");
            }
        }
    }

    /// Allocates a region that the peer can reach; closed with the rest.
    MemoryRegion allocate(long bytes) throws VerbsException {
        if (bytes > Integer.MAX_VALUE) {
            provider.require(Capability.LARGE_REGIONS);
        }
        return keep(memory, protectionDomain.allocate(bytes, accessFlags(provider)));
    }

    private static <T extends AutoCloseable> T keep(Deque<AutoCloseable> stack, T resource) {
        stack.push(resource);
        return resource;
    }

    /// Takes prepared sends over.
    PostSend keep(PostSend send) {
        return keep(prepared, probe.timed(send));
    }

    /// Takes prepared receives over.
    PostReceive keep(PostReceive receive) {
        return keep(prepared, probe.timed(receive));
    }

    RawProbe probe() {
        return probe;
    }

    VerbsProvider provider() {
        return provider;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    MemoryRegion control() {
        return control;
    }

    PollCompletions sendPoll() {
        return sendPoll;
    }

    PollCompletions receivePoll() {
        return receivePoll;
    }

    /// The largest transmit depth that there is room for.
    int maxTransmitDepth() {
        return maxTransmitDepth;
    }

    @Override
    public void close() {
        List<Exception> failures = new ArrayList<>();
        for (Deque<AutoCloseable> stack : List.of(prepared, queues, memory)) {
            while (!stack.isEmpty()) {
                try {
                    stack.pop().close();
                } catch (Exception failure) { // what AutoCloseable declares; none of these does
                    failures.add(failure);
                }
            }
        }
        if (!failures.isEmpty()) {
            IllegalStateException thrown =
                    new IllegalStateException("closing a raw connection", failures.removeFirst());
            failures.forEach(thrown::addSuppressed);
            throw thrown;
        }
    }
}
