package io.rdmanet.loopback;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Knows whether anybody may still be writing to the receives of a queue pair that has failed or
/// ended: the peer, the hub's or the polling thread for it, or who delivers datagrams. A writer
/// that does not stop is stopped itself (by a debugger, say), and nobody waits for it for ever.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | isServing | hub's thread | volatile | volatile | state |
/// | isHelping | polling thread | volatile | volatile | state |
/// | hasSeenError, failedAt | whoever sees the error; control thread in RESET | volatile | volatile | |
final class WriterWatch {
    private static final long PATIENCE_NANOS = 1_000_000_000;
    private static final long LOOK_NANOS = 10_000;

    private volatile boolean isServing;
    private volatile boolean isHelping;
    private volatile boolean hasSeenError;
    private volatile long failedAt;

    /// The hub's thread begins or ends to write.
    void serving(boolean isBeginning) {
        isServing = isBeginning;
    }

    /// The polling thread begins or ends to write.
    void helping(boolean isBeginning) {
        isHelping = isBeginning;
    }

    /// The queue pair is in ERROR.
    ///
    /// @return whether that was not known
    boolean noticeError() {
        if (hasSeenError) {
            return false;
        }
        failedAt = System.nanoTime();
        hasSeenError = true;
        return true;
    }

    boolean hasSeenError() {
        return hasSeenError;
    }

    /// A new life begins.
    void reset() {
        hasSeenError = false;
    }

    /// Whether everybody has surely stopped writing, now that the state is ERROR.
    boolean isQuiet(QueuePairLife life, @Nullable QueuePairConnection connection) {
        VarHandle.fullFence();
        return !isWritten(life, connection)
                || (hasSeenError && System.nanoTime() - failedAt > PATIENCE_NANOS);
    }

    /// Waits until nobody writes any more to the buffers of a queue pair that is RESET. Called
    /// without the execution right, because the peer may be waiting for that at the same moment.
    void awaitQuiet(QueuePairLife life, @Nullable QueuePairConnection connection) {
        VarHandle.fullFence();
        long start = System.nanoTime();
        while (isWritten(life, connection) && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /// The caller has put a full fence before.
    private boolean isWritten(QueuePairLife life, @Nullable QueuePairConnection connection) {
        return isServing
                || isHelping
                || (connection != null && connection.isExecuting())
                || life.claim().holder() != QueuePairDescriptor.UNCLAIMED;
    }
}
