package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.SendWorkRequestDescriptor;
import io.rdmanet.verbs.QueuePairState;

/// Owns accounts that no device knows of, and has requests for them.
final class NoDevice implements WorkQueue.Owner {
    static final NoDevice OWNER = new NoDevice();

    private NoDevice() {}

    /// A chain of requests without elements. For a static field: its memory is never freed, and one
    /// thread at a time uses it.
    static RequestChain chain(WorkQueueAccount account, int count, long firstIdentifier) {
        RequestChain chain = new RequestChain(account, count, 0, SendWorkRequestDescriptor.SIZE, 0);
        for (int i = 0; i < count; i++) {
            chain.identifiers()[i] = firstIdentifier + i;
        }
        return chain;
    }

    @Override
    public QueuePairState queryState() {
        return QueuePairState.READY_TO_SEND;
    }

    @Override
    public void flush() {}

    @Override
    public void onFailedCompletion() {}
}
