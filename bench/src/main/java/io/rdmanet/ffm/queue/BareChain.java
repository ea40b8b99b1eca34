package io.rdmanet.ffm.queue;

import io.rdmanet.bench.micro.Card;
import io.rdmanet.ffm.c.MemoryRegionDescriptor;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.ScatterGatherDescriptor;
import io.rdmanet.ffm.c.SendWorkRequestDescriptor;
import io.rdmanet.ffm.c.VerbsOperations;
import io.rdmanet.ffm.c.WorkCompletionDescriptor;
import io.rdmanet.verbs.SendFlags;
import java.lang.foreign.Arena;

/// Posts and polls as [CardQueue] does, by the same calls, with nothing between caller and driver:
/// no account of what is outstanding, no identifiers of our own, no checks. What is left is the
/// cost of Java's calls and stores; what [CardQueue] takes longer is the cost of being safe.
final class BareChain {
    private final Card card;
    private final int count;
    private final DeviceOperations operations;
    private final long queuePair;
    private final long completionQueue;
    private final long requests;
    private final long completions;
    private final long badRequest;

    BareChain(Card card, int count) {
        this.card = card;
        this.count = count;
        operations = DeviceOperations.of(card.context());
        queuePair = card.queuePair();
        completionQueue = card.completionQueue();
        long requestBytes = (long) count * SendWorkRequestDescriptor.SIZE;
        long elementBytes = (long) count * ScatterGatherDescriptor.SIZE;
        long completionBytes = (long) count * WorkCompletionDescriptor.SIZE;
        long bytes = requestBytes + elementBytes + completionBytes + Long.BYTES;
        requests = Arena.global().allocate(bytes, 64).address();
        completions = requests + requestBytes + elementBytes;
        badRequest = completions + completionBytes;
        prepare(requests + requestBytes);
    }

    private void prepare(long elements) {
        int key = NativeMemory.intAt(card.region() + MemoryRegionDescriptor.LOCAL_KEY);
        for (int i = 0; i < count; i++) {
            long element = elements + (long) i * ScatterGatherDescriptor.SIZE;
            ScatterGatherDescriptor.set(
                    element,
                    card.memory().address() + (long) i * Card.MESSAGE_BYTES,
                    Card.MESSAGE_BYTES,
                    key);
            NativeMemory.setLong(request(i) + SendWorkRequestDescriptor.ELEMENTS, element);
            NativeMemory.setInt(request(i) + SendWorkRequestDescriptor.ELEMENT_COUNT, 1);
            NativeMemory.setInt(request(i) + SendWorkRequestDescriptor.FLAGS, SendFlags.SIGNALED);
            NativeMemory.setLong(
                    request(i) + SendWorkRequestDescriptor.NEXT,
                    i + 1 < count ? request(i + 1) : 0);
        }
    }

    private long request(int index) {
        return requests + (long) index * SendWorkRequestDescriptor.SIZE;
    }

    /// Posts all of them and polls.
    ///
    /// @param first the first identifier
    /// @return the sum of the identifiers that came back
    long run(long first) {
        for (int i = 0; i < count; i++) {
            NativeMemory.setLong(request(i) + SendWorkRequestDescriptor.WORK_REQUEST_ID, first + i);
        }
        if (VerbsOperations.post(operations.postSend(), queuePair, requests, badRequest) != 0) {
            throw new IllegalStateException("the card is full");
        }
        long sum = 0;
        int polled = 0;
        while (polled < count) {
            int got = VerbsOperations.poll(operations.poll(), completionQueue, count, completions);
            for (int i = 0; i < got; i++) {
                long entry = completions + (long) i * WorkCompletionDescriptor.SIZE;
                if (NativeMemory.intAt(entry + WorkCompletionDescriptor.STATUS) != 0) {
                    throw new IllegalStateException("a request failed");
                }
                sum += NativeMemory.longAt(entry + WorkCompletionDescriptor.WORK_REQUEST_ID);
            }
            polled += got;
        }
        return sum;
    }
}
