package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.VerbsOperations;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;

/// Where completions are polled: the half of a completion queue that the one polling thread uses,
/// and whoever has to keep it out for a moment.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | stash | the polling thread; the pausing thread | plain | plain | guard |
/// | hasFailed | the thread that reads the device's events | volatile | volatile | |
final class PolledQueue {
    /// No error number: a thread is in the middle of a poll.
    static final int IS_POLLED = Integer.MIN_VALUE;

    private final MemorySegment function;
    private final long address;
    private final Object owner;
    private final ExecutionGuard guard = new ExecutionGuard();

    /// One pause of polling at a time.
    private final ReentrantLock pausing = new ReentrantLock();

    private final CompletionStash stash;

    /// Nothing clears it.
    private volatile boolean hasFailed;

    /// @param address the `struct ibv_cq *`
    /// @param owner what it is part of, for messages
    PolledQueue(MemorySegment function, long address, Object owner) {
        this(function, address, owner, new CompletionStash());
    }

    /// @param stash what was taken from the queue before
    PolledQueue(MemorySegment function, long address, Object owner, CompletionStash stash) {
        this.function = function;
        this.address = address;
        this.owner = owner;
        this.stash = stash;
    }

    ExecutionGuard guard() {
        return guard;
    }

    /// Begins a poll; to be followed by [#leave()].
    ///
    /// @throws IllegalStateException if the queue is closed
    /// @throws VerbsException if it has failed
    void enter() throws VerbsException {
        if (!guard.tryEnter()) {
            throw new IllegalStateException("poll_cq: " + owner + " is closed");
        }
        if (hasFailed) {
            guard.leave();
            throw overrun("poll_cq");
        }
    }

    void leave() {
        guard.leave();
    }

    /// Takes completions, first those that were set aside; inside a poll.
    ///
    /// @param into an array of [io.rdmanet.ffm.c.WorkCompletionDescriptor]
    /// @return how many
    int poll(long into, int limit) throws VerbsException {
        if (!stash.isEmpty()) {
            return stash.take(into, limit);
        }
        int polled = VerbsOperations.poll(function, address, limit, into);
        if (polled < 0) {
            throw new VerbsException("poll_cq", "the driver answered " + polled + " for " + owner);
        }
        return polled;
    }

    /// The device has lost completions.
    void fail() {
        hasFailed = true;
    }

    /// Throws if the device has lost completions.
    void requireIntact(String verb) throws VerbsException {
        if (hasFailed) {
            throw overrun(verb);
        }
    }

    private VerbsException overrun(String verb) {
        return new VerbsException(
                verb,
                owner
                        + " was overrun; make it as large as its queue pairs' queues together, or"
                        + " poll more often");
    }

    /// Destroys a queue pair that takes its receives from a shared queue, and gives back to that
    /// queue what it has taken and nobody has polled. The queue pair is in ERROR, so that it takes
    /// no more.
    ///
    /// @return what destroying gave: 0, or an error number; or [#IS_POLLED], and nothing is done,
    ///   if the thread that polls does not leave
    int destroySharing(long queuePair, int number, WorkQueueAccount sharedReceives) {
        pausing.lock();
        try {
            return guard.tryPause()
                    ? destroyWhilePaused(queuePair, number, sharedReceives)
                    : IS_POLLED;
        } finally {
            pausing.unlock();
        }
    }

    private int destroyWhilePaused(long queuePair, int number, WorkQueueAccount sharedReceives) {
        try {
            stash.drain(function, address);
            int errno = Libibverbs.ibv_destroy_qp(queuePair);
            stash.drain(function, address);
            if (errno == 0) {
                stash.giveBack(number, sharedReceives);
            }
            return errno;
        } finally {
            guard.resume();
        }
    }
}
