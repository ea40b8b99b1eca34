package io.rdmanet.ffm.queue;

import io.rdmanet.verbs.QueuePairState;

/// Owns accounts that nothing is posted to.
final class FakeOwner implements WorkQueue.Owner {
    private final String name;

    FakeOwner(String name) {
        this.name = name;
    }

    @Override
    public QueuePairState queryState() {
        return QueuePairState.READY_TO_SEND;
    }

    @Override
    public void flush() {}

    @Override
    public void onFailedCompletion() {}

    @Override
    public String toString() {
        return name;
    }
}
