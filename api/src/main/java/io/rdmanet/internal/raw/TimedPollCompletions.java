package io.rdmanet.internal.raw;

import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;

/// A prepared poll that tells a probe how long finding completions took, and how long there were
/// none.
final class TimedPollCompletions implements PollCompletions {
    private final PollCompletions poll;
    private final RawProbe probe;
    private final boolean isOfSends;

    /// When the wait that is under way began.
    private long waitStart;

    private boolean isWaiting;

    TimedPollCompletions(PollCompletions poll, RawProbe probe, boolean isOfSends) {
        this.poll = poll;
        this.probe = probe;
        this.isOfSends = isOfSends;
    }

    @Override
    public int execute() throws VerbsException {
        long start = System.nanoTime();
        int count = poll.execute();
        if (count > 0) {
            probe.polled(System.nanoTime() - start);
            if (isWaiting) {
                isWaiting = false;
                probe.waited(isOfSends, start - waitStart);
            }
        } else if (!isWaiting) {
            isWaiting = true;
            waitStart = start;
        }
        return count;
    }

    @Override
    public int capacity() {
        return poll.capacity();
    }

    @Override
    public long workRequestId(int index) {
        return poll.workRequestId(index);
    }

    @Override
    public CompletionStatus status(int index) {
        return poll.status(index);
    }

    @Override
    public int statusCode(int index) {
        return poll.statusCode(index);
    }

    @Override
    public boolean succeeded(int index) {
        return poll.succeeded(index);
    }

    @Override
    public CompletionOpcode opcode(int index) {
        return poll.opcode(index);
    }

    @Override
    public int byteLength(int index) {
        return poll.byteLength(index);
    }

    @Override
    public boolean hasImmediate(int index) {
        return poll.hasImmediate(index);
    }

    @Override
    public int immediate(int index) {
        return poll.immediate(index);
    }

    @Override
    public int queuePairNumber(int index) {
        return poll.queuePairNumber(index);
    }

    @Override
    public int sourceQueuePair(int index) {
        return poll.sourceQueuePair(index);
    }

    @Override
    public boolean hasGlobalRoute(int index) {
        return poll.hasGlobalRoute(index);
    }

    @Override
    public int vendorError(int index) {
        return poll.vendorError(index);
    }
}
