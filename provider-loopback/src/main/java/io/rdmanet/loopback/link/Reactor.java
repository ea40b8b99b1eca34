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
import java.util.concurrent.locks.ReentrantLock;

/// The one thread of an open loopback device: waits for sockets and for times, and does what must
/// be done then. It sleeps when there is nothing.
///
/// The [Hub] starts and closes it. [#execute], [#schedule] and [#close] may be called by any
/// thread.
public final class Reactor implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Reactor.class.getName());
    private static final long JOIN_MILLIS = 2_000;

    private final Selector selector;
    private final Thread thread;

    /// Guards `tasks`, `isEnded` and `isClosing`.
    private final ReentrantLock lock = new ReentrantLock();

    private ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean isClosing;
    private boolean isEnded;

    /// The reactor's thread alone.
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

    /// Runs an action on the thread, in the order of the calls. It must not block.
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
        return true;
    }

    /// Runs an action on the thread after a time, unless the reactor has been closed by then.
    public void schedule(long delayNanos, Runnable action) {
        Timer timer = new Timer(System.nanoTime() + delayNanos, action);
        execute(() -> timers.add(timer));
    }

    /// Has a channel watched; its handler gets to know every end. Only on the reactor's thread.
    ///
    /// @throws IOException if the channel or the reactor is closed
    public SelectionKey register(SelectableChannel channel, int interest, ReadyHandler handler)
            throws IOException {
        assert isOwnThread();
        try {
            return channel.register(selector, interest, handler);
        } catch (ClosedSelectorException e) {
            throw new ClosedChannelException();
        }
    }

    /// Makes the thread look at changed interests and closed channels.
    public void wakeUp() {
        selector.wakeup();
    }

    /// Whether the caller runs on the reactor's thread.
    public boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

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
        if (!isOwnThread()) {
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
            while (!isClosing()) {
                // Rounded up, or the last millisecond before a timer would be spent spinning.
                selector.select(Reactor::dispatch, millisUntilNextTimer());
                runTasks(takeTasks());
                runTimers();
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.ERROR, "the loopback device's selector failed", e);
        } finally {
            end();
        }
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

    /// 0 means without end.
    private long millisUntilNextTimer() {
        Timer next = timers.peek();
        if (next == null) {
            return 0;
        }
        long nanos = next.dueNanos() - System.nanoTime();
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }

    private boolean isClosing() {
        lock.lock();
        try {
            return isClosing;
        } finally {
            lock.unlock();
        }
    }

    private ArrayDeque<Runnable> takeTasks() {
        lock.lock();
        try {
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
