package io.rdmanet.loopback.link;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// What an open loopback device waits for, sockets and times, and what it does then: in turns, of
/// which one follows the other, on the reactor's own thread or on one that waits for their outcome.
/// It sleeps when there is nothing.
///
/// The [Hub] starts and closes it. [#execute], [#schedule] and [#close] may be called by any
/// thread.
public final class Reactor implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Reactor.class.getName());
    private static final long JOIN_MILLIS = 2_000;

    private final Selector selector;
    private final Thread thread;
    private final Turns turns = new Turns();
    private final Runnable wakeUp = this::wakeUp;

    /// Guards `tasks`, `isEnded`, `isClosing` and `isCalled`.
    private final ReentrantLock lock = new ReentrantLock();

    private ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean isClosing;
    private boolean isEnded;

    /// Somebody waits for turns and takes none.
    private boolean isCalled;

    /// Whoever has the turn.
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();

    private record Timer(long dueNanos, Runnable action) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return Long.signum(dueNanos - other.dueNanos);
        }
    }

    private Reactor(Selector selector, String name) {
        this.selector = selector;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    /// Starts the thread, a daemon.
    static Reactor start(String name) throws IOException {
        Reactor reactor = new Reactor(Selector.open(), name);
        reactor.thread.start();
        return reactor;
    }

    /// Runs an action in a turn, in the order of the calls. It must not block.
    ///
    /// @return false if the reactor has ended: the action will not run
    public boolean execute(Runnable action) {
        lock.lock();
        try {
            if (isEnded) {
                return false;
            }
            tasks.add(action);
        } finally {
            lock.unlock();
        }
        selector.wakeup();
        if (!turns.isTaken()) {
            LockSupport.unpark(thread);
        }
        return true;
    }

    /// Runs an action in a turn after a time, unless the reactor has been closed by then.
    public void schedule(long delayNanos, Runnable action) {
        Timer timer = new Timer(System.nanoTime() + delayNanos, action);
        execute(() -> timers.add(timer));
    }

    /// Has a channel watched; its handler gets to know every end. Only in a turn.
    ///
    /// @throws IOException if the channel or the reactor is closed
    public SelectionKey register(SelectableChannel channel, int interest, ReadyHandler handler)
            throws IOException {
        assert isInTurn();
        try {
            return channel.register(selector, interest, handler);
        } catch (ClosedSelectorException e) {
            throw new ClosedChannelException();
        }
    }

    /// Has changed interests and closed channels looked at.
    public void wakeUp() {
        selector.wakeup();
    }

    /// Whether the caller runs in a turn.
    public boolean isInTurn() {
        return turns.isCallers();
    }

    // ---- threads that wait for what turns bring

    /// The caller begins to wait for something that turns bring about; to be followed by
    /// [#endWaiting].
    public void beginWaiting() {
        turns.enter();
    }

    /// Takes a turn on the caller's thread, if that is free: waits for sockets and times, and does
    /// what must be done. Between [#beginWaiting] and [#endWaiting]; the caller holds no lock.
    ///
    /// @param nanos how long at most, rounded up to milliseconds; [#wakeUp] ends it sooner, and so
    ///   does an interrupt, which stays set
    /// @param isOver whether there is nothing to wait for any more, to be asked once it would wait;
    ///   whoever makes it so then calls [#wakeUp]
    /// @return false if others take the turns: the caller has to wait until one of them tells it
    /// @throws InterruptedException if interrupted before there was a turn to take
    public boolean tryTurn(long nanos, BooleanSupplier isOver) throws InterruptedException {
        if (!turns.tryTake(nanos, wakeUp)) {
            if (!turns.isTaken()) {
                call();
            }
            return false;
        }
        try {
            if (mustEnd()) {
                return false;
            }
            if (!isOver.getAsBoolean()) {
                turn(toMillis(nanos));
            }
            return true;
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.ERROR, "the loopback device's selector failed", e);
            return false;
        } finally {
            turns.end();
            if (isNeeded()) {
                LockSupport.unpark(thread);
            }
        }
    }

    /// The caller waits no longer.
    public void endWaiting() {
        if (turns.leave() && !turns.isTaken()) {
            call();
        }
    }

    private void call() {
        lock.lock();
        try {
            isCalled = true;
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(thread);
    }

    /// Whether there is something that the own thread must not leave to others.
    private boolean isNeeded() {
        lock.lock();
        try {
            return isClosing || isCalled || !tasks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    // ---- life

    /// Ends the thread: handlers get [ReadyHandler#onReactorClosed]. Waits for it, two seconds at
    /// most, unless called by the thread itself.
    @Override
    public void close() {
        lock.lock();
        try {
            isClosing = true;
        } finally {
            lock.unlock();
        }
        selector.wakeup();
        LockSupport.unpark(thread);
        if (Thread.currentThread() != thread) {
            joinBriefly();
        }
    }

    private void joinBriefly() {
        boolean isInterrupted = false;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MILLIS);
        long left = JOIN_MILLIS;
        while (thread.isAlive() && left > 0) {
            try {
                thread.join(left);
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
            left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!mustEnd()) {
                turns.take();
                try {
                    turn(Long.MAX_VALUE);
                } finally {
                    turns.end();
                }
                turns.standBackWhileHelped(this::isNeeded);
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.ERROR, "the loopback device's selector failed", e);
        } finally {
            turns.take();
            try {
                end();
            } finally {
                turns.end();
            }
        }
    }

    private void turn(long longestMillis) throws IOException {
        selector.select(Reactor::dispatch, Math.min(longestMillis, millisUntilNextTimer()));
        runTasks(takeTasks());
        runTimers();
    }

    private static void dispatch(SelectionKey key) {
        ReadyHandler handler = (ReadyHandler) key.attachment();
        try {
            if (key.isValid()) {
                handler.onReady(key);
            }
        } catch (IOException | CancelledKeyException e) {
            handler.onFailure(e);
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "a loopback device's callback threw", e);
            handler.onFailure(e);
        }
    }

    private void runTimers() {
        long now = System.nanoTime();
        for (Timer next = timers.peek(); next != null; next = timers.peek()) {
            if (next.dueNanos() - now > 0) {
                return;
            }
            timers.remove();
            runSafely(next.action());
        }
    }

    private long millisUntilNextTimer() {
        Timer next = timers.peek();
        return next == null ? Long.MAX_VALUE : toMillis(next.dueNanos() - System.nanoTime());
    }

    /// Rounded up, or the last millisecond before a timer would be spent spinning.
    private static long toMillis(long nanos) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }

    private boolean mustEnd() {
        lock.lock();
        try {
            return isClosing || isEnded;
        } finally {
            lock.unlock();
        }
    }

    private ArrayDeque<Runnable> takeTasks() {
        lock.lock();
        try {
            isCalled = false; // whoever called for a turn gets this one
            ArrayDeque<Runnable> taken = tasks;
            if (!taken.isEmpty()) {
                tasks = new ArrayDeque<>();
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /// The last tasks that were accepted.
    private ArrayDeque<Runnable> refuseTasks() {
        lock.lock();
        try {
            isEnded = true;
            return tasks;
        } finally {
            lock.unlock();
        }
    }

    private static void runTasks(ArrayDeque<Runnable> taken) {
        for (Runnable task = taken.poll(); task != null; task = taken.poll()) {
            runSafely(task);
        }
    }

    private static void runSafely(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "a loopback device's task threw", e);
        }
    }

    /// Tasks that were accepted still run, since they may hold channels and waiting callers.
    private void end() {
        runTasks(takeTasks());
        List<SelectionKey> keys = new ArrayList<>(selector.keys());
        for (SelectionKey key : keys) {
            runSafely(((ReadyHandler) key.attachment())::onReactorClosed);
        }
        ArrayDeque<Runnable> last = refuseTasks();
        try {
            selector.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "closing a selector failed", e);
        }
        // With the selector closed, what these want to register fails and is closed by them.
        runTasks(last);
    }
}
