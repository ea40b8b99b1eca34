package io.rdmanet.loopback;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/// Finishes work that could not be done when it was posted: the peer had no receive posted, or did
/// not answer.
///
/// While there is such work it looks every half millisecond, which is about the pace of a card's
/// RNR timer; 20 looks without any and it sleeps until [#nudge()]. Threads that post or poll push
/// their own work on faster, and most often it never gets here.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | isAsleep | this thread; nudging threads clear it | volatile | volatile, compare-and-set | posted positions: full fence between posting and reading it, and between setting it and looking for work |
/// | isRunning | closing thread | volatile | volatile | |
final class DeviceThread {
    private static final VarHandle IS_ASLEEP;

    static {
        try {
            IS_ASLEEP =
                    MethodHandles.lookup()
                            .findVarHandle(DeviceThread.class, "isAsleep", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final long PERIOD_NANOS = 500_000;
    private static final int IDLE_LOOKS = 20;
    private static final long JOIN_MILLIS = 2_000;

    private final LoopbackContext context;
    private final Thread thread;
    private volatile boolean isRunning = true;

    @SuppressWarnings("unused") // through IS_ASLEEP
    private volatile boolean isAsleep;

    DeviceThread(LoopbackContext context) {
        this.context = context;
        thread = Thread.ofPlatform().daemon().name("rdmanet-loopback-device").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    /// Says that there is unfinished work. Cheap unless the thread is asleep.
    void nudge() {
        VarHandle.fullFence();
        if (isAsleep && IS_ASLEEP.compareAndSet(this, true, false)) {
            LockSupport.unpark(thread);
        }
    }

    /// Ends the thread and waits for that, for 2 s at most.
    void close() {
        isRunning = false;
        LockSupport.unpark(thread);
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        int idleLooks = 0;
        while (isRunning) {
            if (progressAll()) {
                idleLooks = 0;
                LockSupport.parkNanos(this, PERIOD_NANOS);
            } else if (++idleLooks < IDLE_LOOKS) {
                LockSupport.parkNanos(this, PERIOD_NANOS);
            } else {
                sleep();
                idleLooks = 0;
            }
        }
    }

    private void sleep() {
        isAsleep = true;
        VarHandle.fullFence();
        while (isRunning && isAsleep && !hasWork()) {
            LockSupport.park(this);
        }
        isAsleep = false;
    }

    private boolean hasWork() {
        for (QueuePairWork queuePair : context.queuePairs()) {
            if (queuePair.hasUnfinishedWork()) {
                return true;
            }
        }
        return false;
    }

    /// @return whether any queue pair had unfinished work
    private boolean progressAll() {
        boolean hadWork = false;
        for (QueuePairWork queuePair : context.queuePairs()) {
            if (queuePair.hasUnfinishedWork()) {
                hadWork = true;
                progress(queuePair);
            }
        }
        return hadWork;
    }

    /// One queue pair's fault must not stop the others: it has failed, its owner sees that.
    private static void progress(QueuePairWork queuePair) {
        try {
            queuePair.finishWork();
        } catch (Throwable e) { // an Error must not end the thread either
            System.getLogger(DeviceThread.class.getName())
                    .log(System.Logger.Level.ERROR, queuePair + " failed", e);
        }
    }
}
