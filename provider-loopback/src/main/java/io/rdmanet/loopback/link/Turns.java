package io.rdmanet.loopback.link;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Who takes the turns of a [Reactor]: its own thread, or a thread that waits for what a turn
/// brings. That one then is woken by the system, and not by a thread that was woken before it.
///
/// The own thread stands back while another takes turns, and comes back when none has done so for
/// [#STAND_BACK_NANOS], twice that at most: so long may a socket wait after the other has gone to
/// work. Several threads that wait would take turns from each other; then the own thread takes all.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | turn | who takes a turn | lock | lock | all that turns use |
/// | waiting | threads that wait | volatile | volatile | |
/// | isHelped | others set it, the own thread clears it | volatile | volatile, getAndSet | set before asking for the turn, looked at after a turn |
/// | crowdedNanos | threads that wait | opaque | opaque | nothing: advice |
final class Turns {
    /// How long the own thread sleeps between two looks whether it is needed again.
    static final long STAND_BACK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /// For how long the own thread takes all turns after several threads waited at once.
    private static final long CROWD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final VarHandle IS_HELPED;
    private static final VarHandle CROWDED_NANOS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            IS_HELPED = lookup.findVarHandle(Turns.class, "isHelped", boolean.class);
            CROWDED_NANOS = lookup.findVarHandle(Turns.class, "crowdedNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ReentrantLock turn = new ReentrantLock();
    private final AtomicInteger waiting = new AtomicInteger();

    @SuppressWarnings("unused") // through IS_HELPED
    private volatile boolean isHelped;

    @SuppressWarnings("unused") // through CROWDED_NANOS
    private long crowdedNanos = System.nanoTime() - CROWD_NANOS;

    /// Whether the caller is taking a turn.
    boolean isCallers() {
        return turn.isHeldByCurrentThread();
    }

    /// Whether anybody is taking a turn.
    boolean isTaken() {
        return turn.isLocked();
    }

    /// Ends the caller's turn.
    void end() {
        turn.unlock();
    }

    // ---- the own thread

    /// Waits for the turn.
    void take() {
        turn.lock();
    }

    /// Sleeps while others take turns.
    ///
    /// @param isNeeded whether there is something that is not left to others; whoever makes it so
    ///   unparks the thread
    void standBackWhileHelped(BooleanSupplier isNeeded) {
        while ((boolean) IS_HELPED.getAndSet(this, false)) {
            do {
                if (isNeeded.getAsBoolean()) {
                    return;
                }
                LockSupport.parkNanos(this, STAND_BACK_NANOS);
            } while (turn.isLocked());
        }
    }

    // ---- threads that wait

    /// The caller begins to wait, in turns or without; to be followed by [#leave].
    void enter() {
        if (waiting.incrementAndGet() > 1) {
            CROWDED_NANOS.setOpaque(this, System.nanoTime());
        }
    }

    /// The caller waits no longer.
    ///
    /// @return whether others do, who may have relied on its turns
    boolean leave() {
        return waiting.decrementAndGet() > 0;
    }

    /// Takes the turn for a thread that has entered, unless the own thread had better have it.
    ///
    /// @param nanos for how long to ask the own thread to end its turn
    /// @param wakeUp makes the own thread end its turn
    boolean tryTake(long nanos, Runnable wakeUp) throws InterruptedException {
        if (waiting.get() > 1
                || Thread.currentThread().isVirtual() // it would keep its carrier
                || turn.hasQueuedThreads()
                || System.nanoTime() - (long) CROWDED_NANOS.getOpaque(this) < CROWD_NANOS) {
            return false;
        }
        long start = System.nanoTime();
        isHelped = true;
        boolean isTaken = turn.tryLock();
        // The own thread may have come back before this one got here, so it is asked repeatedly.
        while (!isTaken && System.nanoTime() - start < nanos) {
            isHelped = true;
            wakeUp.run();
            isTaken = turn.tryLock(STAND_BACK_NANOS, TimeUnit.NANOSECONDS);
        }
        return isTaken;
    }
}
