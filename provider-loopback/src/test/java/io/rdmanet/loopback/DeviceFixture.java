package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import io.rdmanet.loopback.ring.Words;
import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairCapacity;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Random;

/// A device with one queue pair that is never connected: what prepared calls need to exist.
final class DeviceFixture implements AutoCloseable {
    static final int MAX_ELEMENTS = 4;
    static final int MAX_INLINE = 64;

    final LoopbackContext context;
    final LoopbackProtectionDomain domain;
    final LoopbackCompletionQueue completions;
    final QueuePair queuePair;
    private final Deque<MemoryRegion> regions = new ArrayDeque<>();

    DeviceFixture() throws VerbsException {
        context = LoopbackContext.open(new LoopbackProvider());
        domain = context.allocateProtectionDomain();
        completions = (LoopbackCompletionQueue) context.createCompletionQueue(64, null);
        queuePair =
                domain.createQueuePair(
                        QueuePairInitialAttributes.reliable(
                                completions,
                                completions,
                                new QueuePairCapacity(
                                        8, 8, MAX_ELEMENTS, MAX_ELEMENTS, MAX_INLINE)));
    }

    LoopbackMemoryRegion region(long bytes) throws VerbsException {
        MemoryRegion region = domain.allocate(bytes, EnumSet.allOf(AccessFlag.class));
        regions.push(region);
        return (LoopbackMemoryRegion) region;
    }

    /// A region of memory that the peer cannot reach.
    LoopbackMemoryRegion unsharedRegion(long bytes) throws VerbsException {
        MemorySegment memory = Arena.ofAuto().allocate(bytes);
        MemoryRegion region = domain.register(memory, EnumSet.allOf(AccessFlag.class));
        regions.push(region);
        return (LoopbackMemoryRegion) region;
    }

    /// A region full of random bytes; the seed is printed.
    LoopbackMemoryRegion randomRegion(int bytes, long seed) throws VerbsException {
        System.out.println("seed " + seed);
        LoopbackMemoryRegion region = region(bytes);
        Random random = new Random(seed);
        for (int i = 0; i < bytes; i++) {
            region.segment().set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        return region;
    }

    /// Memory of a queue pair with a ring for so many receives, as its owner has prepared it.
    static MemorySegment queuePairMemory(int receives) {
        int stride = QueuePairDescriptor.stride(MAX_ELEMENTS);
        MemorySegment memory =
                Arena.ofAuto().allocate(QueuePairDescriptor.bytes(receives, stride), 64);
        Words.setInt(memory.address() + QueuePairDescriptor.CAPACITY_OFFSET, receives);
        Words.setInt(memory.address() + QueuePairDescriptor.STRIDE_OFFSET, stride);
        return memory;
    }

    static byte[] bytes(LoopbackMemoryRegion region) {
        return region.segment().toArray(ValueLayout.JAVA_BYTE);
    }

    /// Prepared sends with identifiers 0, 1, 2...
    LoopbackPostSend sends(int elements, int count) throws VerbsException {
        PostSend send = queuePair.preparePostSend(new SendShape(SendOpcode.SEND, elements), count);
        for (int i = 0; i < count; i++) {
            send.request(i).workRequestId(i);
        }
        return (LoopbackPostSend) send.request(0);
    }

    /// Prepared receives with identifiers 0, 1, 2...
    LoopbackPostReceive receives(int elements, int count) throws VerbsException {
        PostReceive receive = queuePair.preparePostReceive(elements, count);
        for (int i = 0; i < count; i++) {
            receive.request(i).workRequestId(i);
        }
        return (LoopbackPostReceive) receive.request(0);
    }

    LoopbackPollCompletions poll(int capacity) {
        return (LoopbackPollCompletions) completions.preparePoll(capacity);
    }

    @Override
    public void close() {
        try {
            queuePair.close();
            completions.close();
            while (!regions.isEmpty()) {
                regions.pop().close();
            }
        } finally {
            domain.close();
            context.close();
        }
    }
}
