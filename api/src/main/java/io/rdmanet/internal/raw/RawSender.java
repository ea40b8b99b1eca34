package io.rdmanet.internal.raw;

import io.rdmanet.RawOptions;
import io.rdmanet.RawProgress;
import io.rdmanet.RawVerb;
import io.rdmanet.internal.frame.HelloDescriptor.RawHello;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.util.EnumMap;
import java.util.Map;

/// Posts the messages of a run and polls their completions.
///
/// One ring of prepared requests per verb: request i has its buffer and remote address for good, so
/// that a post changes nothing (one by one) or two flags (chains). Belongs to one thread; allocates
/// at the first run of a verb only.
///
/// Nothing goes inline, as with ib_send_bw by default: a soft device would copy twice (on a loaded
/// machine, 64 B inline came to half the rate of 72 B that were not), and a card's send queue
/// entries would grow.
final class RawSender {
    /// A refill takes this part of the depth: chains long enough to share one doorbell, and short
    /// enough that the rest keeps the device busy meanwhile.
    private static final int CHAINS_PER_DEPTH = 4;

    private final RawQueues queues;
    private final RawLayout layout;
    private final MemoryRegion region;
    private final RawHello peer;
    private final IdleWatch watch;
    private final RawGate gate;
    private final PollCompletions poll;
    private final int depth;
    private final int chainLength;
    private final int ringLength;
    private final Map<RawVerb, Ring> rings = new EnumMap<>(RawVerb.class);
    private final PostSend control;

    RawSender(
            RawQueues queues,
            RawGreeting.Outcome greeting,
            RawLayout layout,
            IdleWatch watch,
            RawGate gate)
            throws VerbsException {
        RawOptions options = greeting.options();
        this.queues = queues;
        this.layout = layout;
        this.region = greeting.region();
        this.peer = greeting.peer();
        this.watch = watch;
        this.gate = gate;
        this.poll = queues.sendPoll();
        this.depth = options.transmitDepth();
        this.chainLength = Math.max(1, depth / CHAINS_PER_DEPTH);
        this.ringLength = layout.sendRingLength();
        this.control =
                queues.keep(
                        queues.queuePair()
                                .preparePostSend(
                                        new SendShape(SendOpcode.SEND_WITH_IMMEDIATE, 0), 1));
    }

    /// Requests of one verb, side by side.
    private static final class Ring {
        private final PostSend send;
        private int size = -1;
        private int flags = -1;

        Ring(PostSend send) {
            this.send = send;
        }
    }

    private PostSend prepared(RawVerb verb, int size, int flags) throws VerbsException {
        Ring ring = rings.get(verb);
        if (ring == null) {
            ring = new Ring(prepare(verb));
            rings.put(verb, ring);
        }
        if (ring.size != size || ring.flags != flags) {
            for (int i = 0; i < ringLength; i++) {
                ring.send
                        .request(i)
                        .flags(flags)
                        .scatterGather(
                                0, region, layout.offset(i % layout.options().bufferCount()), size);
            }
            ring.size = size;
            ring.flags = flags;
        }
        return ring.send;
    }

    private PostSend prepare(RawVerb verb) throws VerbsException {
        SendOpcode opcode =
                switch (verb) {
                    case SEND -> SendOpcode.SEND;
                    case WRITE -> SendOpcode.RDMA_WRITE;
                    case READ -> SendOpcode.RDMA_READ;
                };
        PostSend send =
                queues.keep(queues.queuePair().preparePostSend(SendShape.of(opcode), ringLength));
        if (opcode.isOneSided()) {
            for (int i = 0; i < ringLength; i++) {
                long offset = layout.offset(i % layout.options().bufferCount());
                send.request(i).remote(peer.regionAddress() + offset, peer.regionKey());
            }
        }
        return send;
    }

    /// Posts one at a time, all signaled.
    long pipeline(RawVerb verb, int firstBuffer, long count, int size, RawProgress progress)
            throws IOException {
        PostSend send = prepared(verb, size, SendFlags.SIGNALED);
        long limit = count;
        long posted = 0;
        long completed = 0;
        int slot = firstBuffer;
        watch.reset();
        while (completed < limit) {
            long room = Math.min(depth - (posted - completed), limit - posted);
            while (room > 0 && send.execute(slot, 1) == 1) {
                slot = slot + 1 == ringLength ? 0 : slot + 1;
                posted++;
                room--;
            }
            int polled = poll();
            if (polled > 0) {
                completed += polled;
                if (!progress.onCompleted(completed, posted)) {
                    limit = posted;
                }
            }
        }
        return completed;
    }

    /// Posts in chains and signals the last of each, whose identifier is the number of messages
    /// posted up to it.
    long pipelineBatch(RawVerb verb, long count, int size, RawProgress progress)
            throws IOException {
        PostSend send = prepared(verb, size, SendFlags.NONE);
        long limit = count;
        long posted = 0;
        long signaled = 0;
        long completed = 0;
        int slot = 0;
        watch.reset();
        while (completed < limit) {
            long left = limit - posted;
            long wanted = Math.min(chainLength, left);
            while (wanted > 0 && depth - (posted - completed) >= wanted) {
                int length = (int) Math.min(wanted, ringLength - slot);
                int last = slot + length - 1;
                send.request(last).flags(SendFlags.SIGNALED).workRequestId(posted + length);
                int accepted = send.execute(slot, length);
                send.request(last).flags(SendFlags.NONE);
                posted += accepted;
                slot = (slot + accepted) % ringLength;
                if (accepted < length) {
                    requireSignaled(signaled, completed);
                    break;
                }
                signaled = posted;
                wanted = Math.min(chainLength, limit - posted);
            }
            int polled = poll();
            if (polled > 0) {
                completed = poll.workRequestId(polled - 1);
                if (!progress.onCompleted(completed, posted)) {
                    limit = posted;
                }
            }
        }
        return completed;
    }

    /// A full send queue gets room by a signaled completion only, so one must be on its way. It
    /// always is unless the queue is smaller than it was asked to be.
    private void requireSignaled(long signaled, long completed) throws VerbsException {
        if (signaled == completed) {
            throw new VerbsException(
                    "post_send",
                    "queue pair 0x"
                            + Integer.toHexString(queues.queuePair().number())
                            + " is full with less than the depth of "
                            + depth
                            + " posted and nothing to wait for: it is smaller than it says");
        }
    }

    private int poll() throws IOException {
        int count = poll.execute();
        if (count == 0) {
            watch.idleSending("waiting for raw sends to complete");
            return 0;
        }
        for (int i = 0; i < count; i++) {
            if (!poll.succeeded(i)) {
                throw watch.failure("a raw send", poll, i);
            }
        }
        watch.reset();
        if (gate.isClosing()) {
            throw new AsynchronousCloseException();
        }
        return count;
    }

    /// Sends what is not a message, and waits for its completion.
    ///
    /// @param deadlineWatch the watch whose deadline counts
    void sendControl(int kind, int tag, IdleWatch deadlineWatch) throws IOException {
        control.request(0)
                .flags(SendFlags.SIGNALED)
                .immediate(RawImmediateDescriptor.encode(kind, tag));
        deadlineWatch.reset();
        boolean isPosted = false;
        while (true) {
            isPosted = isPosted || control.execute(0, 1) == 1;
            int count = poll.execute();
            for (int i = 0; i < count; i++) {
                if (!poll.succeeded(i)) {
                    throw deadlineWatch.failure("the end of a raw run", poll, i);
                }
            }
            if (count > 0 && isPosted) {
                return;
            }
            deadlineWatch.idleSending("telling the peer that a raw run ends");
        }
    }
}
