package io.rdmanet.internal.engine;

/// What a thread waits for. It must be cheap and must not block, since it is asked between polls.
@FunctionalInterface
interface Awaited {
    /// Whether the wait is over: because it has come, or because it will not come any more.
    boolean isOver();
}
