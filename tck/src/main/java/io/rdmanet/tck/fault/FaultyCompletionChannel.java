package io.rdmanet.tck.fault;

import io.rdmanet.verbs.CompletionChannel;
import io.rdmanet.verbs.CompletionQueue;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.VerbsException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A completion channel of a [FaultyProvider].
///
/// A delay hides completions from polls whose event has been taken already, so that nothing would
/// end the wait for them; here it ends every millisecond then, as if another event had come.
final class FaultyCompletionChannel implements CompletionChannel {
    private static final long SLICE_NANOS = 1_000_000;

    private final Context context;
    private final CompletionChannel target;
    private final Tracked tracked;
    private final Map<CompletionQueue, CompletionQueue> wrappers = new ConcurrentHashMap<>();

    FaultyCompletionChannel(Context context, CompletionChannel target, Tracked tracked) {
        this.context = context;
        this.target = target;
        this.tracked = tracked;
    }

    CompletionChannel target() {
        return target;
    }

    void add(FaultyCompletionQueue queue) {
        wrappers.put(queue.target(), queue);
    }

    void remove(FaultyCompletionQueue queue) {
        wrappers.remove(queue.target());
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public @Nullable CompletionQueue awaitEvent(long timeoutNanos) throws VerbsException {
        FaultPlan plan = ((FaultyContext) context).plan();
        if (!plan.delaysCompletions()) {
            return wrapped(target.awaitEvent(timeoutNanos));
        }
        CompletionQueue queue = target.awaitEvent(Math.min(timeoutNanos, SLICE_NANOS));
        return queue == null && timeoutNanos > 0
                ? wrappers.values().stream().findFirst().orElse(null)
                : wrapped(queue);
    }

    private @Nullable CompletionQueue wrapped(@Nullable CompletionQueue queue) {
        return queue == null ? null : wrappers.get(queue);
    }

    @Override
    public void wakeUp() {
        target.wakeUp();
    }

    @Override
    public void close() {
        target.close();
        tracked.closed();
    }
}
