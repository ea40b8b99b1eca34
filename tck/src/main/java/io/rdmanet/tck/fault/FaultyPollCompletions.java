package io.rdmanet.tck.fault;

import io.rdmanet.verbs.CompletionOpcode;
import io.rdmanet.verbs.CompletionStatus;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/// Polls of a [FaultyProvider]: hides completions, or reports them as failed. What is hidden stays
/// in the queue.
final class FaultyPollCompletions implements PollCompletions {
    private final FaultyContext context;
    private final PollCompletions target;
    private final @Nullable CompletionStatus[] replaced;
    private int count;

    FaultyPollCompletions(FaultyContext context, PollCompletions target) {
        this.context = context;
        this.target = target;
        this.replaced = new @Nullable CompletionStatus[target.capacity()];
    }

    @Override
    public int capacity() {
        return target.capacity();
    }

    @Override
    public int execute() throws VerbsException {
        count = 0;
        if (context.plan().hidesCompletions()) {
            return 0;
        }
        count = target.execute();
        for (int i = 0; i < count; i++) {
            replaced[i] = context.plan().replaceStatus();
            if (replaced[i] != null) {
                context.fail(target.queuePairNumber(i));
            }
        }
        return count;
    }

    @Override
    public long workRequestId(int index) {
        return target.workRequestId(checked(index));
    }

    @Override
    public CompletionStatus status(int index) {
        CompletionStatus instead = replaced[checked(index)];
        return instead == null ? target.status(index) : instead;
    }

    @Override
    public int statusCode(int index) {
        CompletionStatus instead = replaced[checked(index)];
        return instead == null ? target.statusCode(index) : instead.code();
    }

    @Override
    public boolean succeeded(int index) {
        return status(index) == CompletionStatus.SUCCESS;
    }

    @Override
    public CompletionOpcode opcode(int index) {
        return target.opcode(checked(index));
    }

    @Override
    public int byteLength(int index) {
        return target.byteLength(checked(index));
    }

    @Override
    public boolean hasImmediate(int index) {
        return target.hasImmediate(checked(index));
    }

    @Override
    public int immediate(int index) {
        return target.immediate(checked(index));
    }

    @Override
    public int queuePairNumber(int index) {
        return target.queuePairNumber(checked(index));
    }

    @Override
    public int sourceQueuePair(int index) {
        return target.sourceQueuePair(checked(index));
    }

    @Override
    public boolean hasGlobalRoute(int index) {
        return target.hasGlobalRoute(checked(index));
    }

    @Override
    public int vendorError(int index) {
        return target.vendorError(checked(index));
    }

    /// After a poll that hid everything, the wrapped poll still holds what it found before.
    private int checked(int index) {
        return java.util.Objects.checkIndex(index, count);
    }
}
