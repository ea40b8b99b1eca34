package io.rdmanet.disni;

import io.rdmanet.verbs.AccessFlag;
import io.rdmanet.verbs.MemoryRegion;
import io.rdmanet.verbs.PostReceive;
import io.rdmanet.verbs.VerbsException;

/// Prepared receives.
final class DisniPostReceive implements PostReceive {
    private final WorkQueue queue;
    private final WorkRequests requests;
    private final ReceiveChains chains;

    /// @param chains of the same requests
    DisniPostReceive(WorkQueue queue, WorkRequests requests, ReceiveChains chains) {
        this.queue = queue;
        this.requests = requests;
        this.chains = chains;
    }

    @Override
    public int maxScatterGather() {
        return requests.maxScatterGather();
    }

    @Override
    public int capacity() {
        return requests.capacity();
    }

    @Override
    public PostReceive request(int index) {
        requests.moveTo(index);
        return this;
    }

    @Override
    public PostReceive workRequestId(long workRequestId) {
        requests.identifier(workRequestId);
        return this;
    }

    @Override
    public PostReceive scatterGather(int element, MemoryRegion region, long offset, int length) {
        DisniMemoryRegion own = requests.element(element, region, offset, length);
        if (!own.access().contains(AccessFlag.LOCAL_WRITE)) {
            throw new IllegalArgumentException(
                    "a receive writes to " + own + ", which has no LOCAL_WRITE");
        }
        return this;
    }

    @Override
    public int execute(int first, int count) throws VerbsException {
        requests.requireRun(queue.verb(), first, count);
        return queue.post(requests, first, count, chains);
    }

    @Override
    public void close() {
        queue.close(requests, chains);
    }
}
