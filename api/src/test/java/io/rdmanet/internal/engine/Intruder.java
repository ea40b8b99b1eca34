package io.rdmanet.internal.engine;

import io.rdmanet.internal.frame.FrameDescriptor;
import io.rdmanet.internal.frame.HelloDescriptor;
import io.rdmanet.internal.frame.HelloDescriptor.MessageHello;
import io.rdmanet.internal.setup.Deadline;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A peer that sends whatever a test likes, frame by frame.
final class Intruder implements AutoCloseable {
    private static final int FRAMES = 64;
    private static final int STRIDE = 8192;

    private final FakeRendezvous rendezvous;
    private final ProtectionDomain domain;
    private final CompletionQueue completionQueue;
    private final QueuePair queuePair;
    private final MemoryRegion memory;
    private final MemoryRegion out;
    private final PostSend post;
    private final PostSend postWithoutImmediate;
    private final PollCompletions poll;

    Intruder(FakeRendezvous rendezvous) throws IOException {
        this.rendezvous = rendezvous;
        domain = rendezvous.context().allocateProtectionDomain();
        memory = domain.allocate(FRAMES * STRIDE, Set.of(AccessFlag.LOCAL_WRITE));
        out = domain.allocate(STRIDE, Set.of());
        completionQueue = rendezvous.context().createCompletionQueue(FRAMES * 2, null);
        queuePair =
                rendezvous.createQueuePair(
                        domain,
                        QueuePairInitialAttributes.reliable(
                                completionQueue,
                                completionQueue,
                                QueuePairCapacity.of(FRAMES, FRAMES)));
        PostReceive receives = queuePair.preparePostReceive(1, FRAMES);
        for (int i = 0; i < FRAMES; i++) {
            receives.request(i)
                    .workRequestId(i)
                    .scatterGather(0, memory, (long) i * STRIDE, STRIDE);
        }
        receives.execute(0, FRAMES);
        post = queuePair.preparePostSend(SendShape.of(SendOpcode.SEND_WITH_IMMEDIATE), 1);
        postWithoutImmediate = queuePair.preparePostSend(SendShape.of(SendOpcode.SEND), 1);
        poll = completionQueue.preparePoll(1);
    }

    void connect() throws IOException {
        rendezvous.establish(0, Deadline.after(1));
    }

    void hello(MessageHello hello) throws VerbsException {
        HelloDescriptor.write(out.segment(), 0, hello);
        send(HelloDescriptor.HEADER, HelloDescriptor.LENGTH);
    }

    /// What may be changed before it is sent.
    MemorySegment payload() {
        return out.segment();
    }

    /// Sends a frame.
    void frame(int flags, int acks, int credits, int bytes) throws VerbsException {
        send(FrameDescriptor.encode(flags, acks, credits), bytes);
    }

    /// Sends anything for a header.
    void send(int immediate, int bytes) throws VerbsException {
        post.request(0).immediate(immediate);
        send(post, bytes);
    }

    void sendWithoutImmediate(int bytes) throws VerbsException {
        send(postWithoutImmediate.request(0), bytes);
    }

    private void send(PostSend prepared, int bytes) throws VerbsException {
        prepared.flags(SendFlags.SIGNALED).workRequestId(-1).scatterGather(0, out, 0, bytes);
        prepared.execute(0, 1);
    }

    /// Waits for the next frame that arrives.
    ///
    /// @return its header
    int awaitFrame() throws VerbsException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < 5_000_000_000L) {
            if (poll.execute() == 1 && poll.workRequestId(0) >= 0 && poll.succeeded(0)) {
                return poll.immediate(0);
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no frame arrived");
    }

    @Override
    public void close() {
        queuePair.close();
        completionQueue.close();
        out.close();
        memory.close();
        domain.close();
        rendezvous.close();
    }
}
