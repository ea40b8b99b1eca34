package io.rdmanet.ffm.event;

import io.rdmanet.ffm.c.Libc;
import io.rdmanet.ffm.c.PollDescriptor;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Waits until a file descriptor can be read: the one place of this provider that blocks.
///
/// A wait ends by its deadline, by [#wakeUp()], by the thread's interruption (noticed within 50 ms,
/// since nothing of the JVM can end a thread's `poll(2)`) or by [#close()]. The descriptor that is
/// watched belongs to somebody else and must stay open until no thread waits. One thread at a time
/// may wait; any thread may wake it up, also after it was closed, when that does nothing: the
/// number of the closed descriptor may be another file's by then.
///
/// A virtual thread does not block in native code, where it would hold its carrier: a platform
/// thread waits for it: one for each virtual thread that waits at the moment, and no more than
/// those, since each wait belongs to a queue or connection that one thread at a time waits for.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | descriptors, count | the waiting thread | plain | plain | whatever has one thread wait at a time |
/// | isClosed | whoever closes | plain | plain | waking |
public final class DescriptorWait implements AutoCloseable {
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final ExecutorService PLATFORM_THREADS =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().daemon().name("rdmanet-ffm-wait-", 0).factory());

    private final int watched;
    private final int wake;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment descriptors = arena.allocate(2 * PollDescriptor.SIZE, 8);
    private final MemorySegment one = arena.allocate(8, 8);
    private final MemorySegment count = arena.allocate(8, 8);

    /// Held for moments, so that nobody is woken by a descriptor that is closed.
    private final ReentrantLock waking = new ReentrantLock();

    /// Guarded by `waking`.
    private boolean isClosed;

    /// Takes `watched`, a readable file descriptor that stays the caller's, and makes it
    /// non-blocking.
    public DescriptorWait(int watched) throws VerbsException {
        long flags = Libc.fcntl(watched, Libc.F_GETFL, 0);
        long set =
                Result.isFailure(flags)
                        ? flags
                        : Libc.fcntl(watched, Libc.F_SETFL, (int) flags | Libc.O_NONBLOCK);
        if (Result.isFailure(set)) {
            arena.close();
            throw new VerbsException(
                    "fcntl",
                    Result.errorNumber(set),
                    "making descriptor " + watched + " non-blocking");
        }
        long descriptor = Libc.eventfd(0, Libc.EFD_CLOEXEC_NONBLOCK);
        if (Result.isFailure(descriptor)) {
            arena.close();
            throw new VerbsException(
                    "eventfd",
                    Result.errorNumber(descriptor),
                    "raise the limit of open files (ulimit -n) if that is what is short");
        }
        this.watched = watched;
        wake = (int) descriptor;
        one.set(ValueLayout.JAVA_LONG, 0, 1);
        PollDescriptor.watch(descriptors, 0, watched);
        PollDescriptor.watch(descriptors, 1, wake);
    }

    /// What ended a wait.
    public enum Outcome {
        /// The descriptor can be read.
        READABLE,
        /// Somebody called [DescriptorWait#wakeUp()].
        WOKEN,
        /// The time is up.
        TIMED_OUT,
        /// The thread was interrupted; its flag is still set.
        INTERRUPTED
    }

    /// Whether the descriptor can be read now. Allocates nothing; for whoever may wait.
    public boolean isReadable() {
        return Libc.pollNow(descriptors, 2) > 0 && PollDescriptor.isReady(descriptors, 0);
    }

    /// Waits.
    ///
    /// @param timeoutNanos how long at most; 0 looks and never blocks
    public Outcome await(long timeoutNanos) throws VerbsException {
        if (timeoutNanos <= 0 || !Thread.currentThread().isVirtual()) {
            return awaitHere(timeoutNanos);
        }
        FutureTask<Outcome> wait = new FutureTask<>(() -> awaitHere(timeoutNanos));
        PLATFORM_THREADS.execute(wait);
        try {
            return wait.get();
        } catch (InterruptedException e) {
            wakeUp();
            joinUninterruptibly(wait);
            Thread.currentThread().interrupt();
            return Outcome.INTERRUPTED;
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private Outcome awaitHere(long timeoutNanos) throws VerbsException {
        long start = System.nanoTime();
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                return Outcome.INTERRUPTED;
            }
            long left = timeoutNanos - (System.nanoTime() - start);
            long slice = Math.clamp(left, 0, SLICE_NANOS);
            // Rounded up: a wait that ends before its deadline would be followed by busy ones.
            int millis = (int) TimeUnit.NANOSECONDS.toMillis(slice + NANOS_PER_MILLI - 1);
            long ready = Libc.poll(descriptors, 2, millis);
            if (Result.isFailure(ready)) {
                throw new VerbsException(
                        "poll", Result.errorNumber(ready), "waiting for descriptor " + watched);
            }
            if (ready > 0) {
                return PollDescriptor.isReady(descriptors, 0) ? Outcome.READABLE : takeWakeUp();
            }
            if (left <= slice) {
                return Outcome.TIMED_OUT;
            }
        }
    }

    private Outcome takeWakeUp() {
        Libc.read(wake, count);
        return Outcome.WOKEN;
    }

    /// Ends the wait of the thread that waits now, or the next wait if there is none.
    public void wakeUp() {
        waking.lock();
        try {
            if (!isClosed) {
                // Fails only if nobody has taken 2^64 - 2 of them.
                Libc.write(wake, one);
            }
        } finally {
            waking.unlock();
        }
    }

    private static void joinUninterruptibly(FutureTask<Outcome> wait) throws VerbsException {
        while (true) {
            try {
                wait.get();
                return;
            } catch (InterruptedException e) {
                // The caller sets the flag again.
            } catch (ExecutionException e) {
                throw failure(e);
            }
        }
    }

    private static VerbsException failure(ExecutionException e) {
        if (e.getCause() instanceof VerbsException failure) {
            return failure;
        }
        throw new AssertionError(e);
    }

    /// Frees what it took, but not the watched descriptor. No thread may be waiting.
    @Override
    public void close() {
        waking.lock();
        try {
            if (!isClosed) {
                isClosed = true;
                Libc.close(wake);
                arena.close();
            }
        } finally {
            waking.unlock();
        }
    }
}
