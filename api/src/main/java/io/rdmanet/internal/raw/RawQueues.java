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

    /// Receives that a dialling end needs: the one for HELLO.
    private static final int DIALLING_RECEIVES = 1;

    /// The most receives: as many as the largest depth needs at least. A bound on what a peer can
    /// make this end allocate before it has said more than a depth; and some providers cannot tell
    /// what their device takes, so that more than ever necessary is better not asked for.
    private static final int MAX_RECEIVES = RawLayout.leastReceives(RawOptions.MAX_TRANSMIT_DEPTH);

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
    private final int receiveRoom;

    private RawQueues(Rendezvous rendezvous, int wantedDepth, boolean isDialling, RawProbe probe)
            throws IOException {
        this.provider = rendezvous.selection().provider();
        this.probe = probe;
        try {
            DeviceAttributes device = rendezvous.context().queryDevice();
            this.maxTransmitDepth = wantedDepth > 0 ? wantedDepth : maxDepth(device);
            this.receiveRoom =
                    isDialling ? DIALLING_RECEIVES : receiveRoom(maxTransmitDepth, device);
            protectionDomain = keep(memory, rendezvous.context().allocateProtectionDomain());
            control = keep(memory, protectionDomain.allocate(CONTROL_BYTES, accessFlags(provider)));
            int sends = maxTransmitDepth + CONTROL_SENDS;
            CompletionQueue sendQueue =
                    keep(queues, rendezvous.context().createCompletionQueue(sends, null));
            CompletionQueue receiveQueue =
                    keep(queues, rendezvous.context().createCompletionQueue(receiveRoom, null));
            QueuePairCapacity capacity = QueuePairCapacity.of(sends, receiveRoom);
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
    /// @param isDialling whether no messages are received
    /// @param probe measures what is kept here, and the polls
    static RawQueues create(
            Rendezvous rendezvous, int wantedDepth, boolean isDialling, RawProbe probe)
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
        return new RawQueues(rendezvous, wantedDepth, isDialling, probe);
    }

    private static int maxDepth(DeviceAttributes device) {
        int reserved = Math.max(CONTROL_SENDS, RawLayout.CONTROL_RECEIVES);
        return Math.clamp((long) entries(device) - reserved, 1, RawOptions.MAX_TRANSMIT_DEPTH);
    }

    /// What a work queue and its completion queue take on a device.
    private static int entries(DeviceAttributes device) {
        return Math.min(device.maxWorkRequests(), device.maxCompletionQueueEntries());
    }

    /// Made before HELLO says whether messages are kept, so there is room for both.
    static int receiveRoom(int maxTransmitDepth, DeviceAttributes device) {
        return Math.clamp(
                Math.min(entries(device), MAX_RECEIVES),
                RawLayout.leastReceives(maxTransmitDepth),
                RawLayout.mostReceives(maxTransmitDepth));
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

    /// How many receives can be posted.
    int receiveRoom() {
        return receiveRoom;
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
