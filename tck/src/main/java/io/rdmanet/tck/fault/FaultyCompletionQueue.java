package io.rdmanet.tck.fault;

import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.PollCompletions;
import io.rdmanet.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/// A completion queue of a [FaultyProvider].
final class FaultyCompletionQueue implements CompletionQueue {
    private final FaultyContext context;
    private final CompletionQueue target;
    private final @Nullable FaultyCompletionChannel channel;
    private final Tracked tracked;

    FaultyCompletionQueue(
            FaultyContext context,
            CompletionQueue target,
            @Nullable FaultyCompletionChannel channel,
            Tracked tracked) {
        this.context = context;
        this.target = target;
        this.channel = channel;
        this.tracked = tracked;
        if (channel != null) {
            channel.add(this);
        }
    }

    CompletionQueue target() {
        return target;
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public int capacity() {
        return target.capacity();
    }

    @Override
    public @Nullable CompletionChannel channel() {
        return channel;
    }

    @Override
    public PollCompletions preparePoll(int capacity) {
        return new FaultyPollCompletions(context, target.preparePoll(capacity));
    }

    @Override
    public void requestNotification(boolean solicitedOnly) throws VerbsException {
        target.requestNotification(solicitedOnly);
    }

    @Override
    public void close() {
        target.close();
        if (channel != null) {
            channel.remove(this);
        }
        tracked.closed();
    }
}
