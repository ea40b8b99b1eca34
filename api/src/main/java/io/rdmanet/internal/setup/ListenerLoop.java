package io.rdmanet.internal.setup;

import io.rdmanet.DeadlineException;
import io.rdmanet.Listener;
import io.rdmanet.internal.provider.AddressText;
import io.rdmanet.internal.setup.Acceptor.Inbound;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A listener that nobody can hold up: each one who comes in is heard on a virtual thread of its
/// own, under one deadline for the whole handshake, and only connections that stand reach
/// [#accept(Duration)].
///
/// **Bounds.** At most [#MAX_PENDING] handshakes are under way; when one more comes in, the oldest
/// that has not yet shown itself to be a peer is dropped (a good client shows itself within
/// milliseconds, so it is hardly ever the oldest), and if all have, the newcomer is refused. At
/// most [#MAX_READY] connections wait to be accepted, and those that were under way when that was
/// reached; newcomers are refused until somebody accepts.
///
/// **A peer that dies while it waits** to be accepted is handed out all the same: what it has sent
/// can still be received, and the connection's first call says that it has gone.
///
/// **Failed handshakes** are logged at level DEBUG, and the last is named by the DeadlineException
/// of an accept that waited in vain.
///
/// One thread takes what comes in; the handshakes' threads and those that accept or close meet
/// under the lock, which is held for a few instructions only.
///
/// @param <C> the connection
public final class ListenerLoop<C extends AutoCloseable> implements Listener<C> {
    /// How long a whole handshake may take at most, from arrival to HELLO. Others go on meanwhile:
    /// this only bounds how long one that is silent keeps its place. A Java virtual machine that
    /// has just started on a loaded machine has been seen to take more than 5 s.
    public static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(15);

    static final int MAX_PENDING = 64;
    static final int MAX_READY = 64;

    private static final System.Logger LOGGER = System.getLogger(ListenerLoop.class.getName());

    /// How long the loop rests when nothing more can be taken (no file descriptors left, say).
    private static final long FAILURE_PAUSE_MILLIS = 50;

    /// How long closing waits for the threads it has interrupted.
    private static final long CLOSE_WAIT_MILLIS = 2_000;

    private final Acceptor acceptor;
    private final Opener<? extends C> opener;
    private final long handshakeNanos;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private final Set<Handshake> pending = new LinkedHashSet<>();
    private final Deque<C> ready = new ArrayDeque<>();
    private int failureCount;
    private String lastFailure = "";
    private boolean isClosed;

    private ListenerLoop(Acceptor acceptor, Opener<? extends C> opener, Duration timeout) {
        this.acceptor = acceptor;
        this.opener = opener;
        this.handshakeNanos = Math.min(timeout.toNanos(), HANDSHAKE_TIMEOUT.toNanos());
        // A platform thread: a provider may wait inside a native call, which would keep a carrier.
        this.thread =
                Thread.ofPlatform()
                        .name("rdmanet-listener-" + acceptor.localAddress().getPort())
                        .daemon()
                        .unstarted(this::takeAll);
    }

    /// Begins to take what comes in.
    ///
    /// @param acceptor is the loop's from now on
    /// @param opener makes connections, on many threads at once
    /// @param timeout how long a handshake may take, if less than [#HANDSHAKE_TIMEOUT]
    public static <C extends AutoCloseable> ListenerLoop<C> start(
            Acceptor acceptor, Opener<? extends C> opener, Duration timeout) {
        ListenerLoop<C> loop = new ListenerLoop<>(acceptor, opener, timeout);
        loop.thread.start();
        return loop;
    }

    @Override
    public InetSocketAddress localAddress() {
        return acceptor.localAddress();
    }

    @Override
    public String provider() {
        return acceptor.selection().provider().name();
    }

    @Override
    public String providerReason() {
        return acceptor.selection().reason();
    }

    @Override
    public C accept(Duration timeout) throws IOException {
        Deadline deadline = Deadline.after(timeout);
        lock.lock();
        try {
            while (true) {
                if (isClosed) {
                    throw new AsynchronousCloseException();
                }
                C connection = ready.poll();
                if (connection != null) {
                    failureCount = 0;
                    return connection;
                }
                if (deadline.isPast()) {
                    throw new DeadlineException(inVain(timeout));
                }
                changed.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a connection");
        } finally {
            lock.unlock();
        }
    }

    private String inVain(Duration timeout) {
        String failures =
                failureCount == 0
                        ? ""
                        : "; %d %s failed, the last: %s"
                                .formatted(
                                        failureCount,
                                        failureCount == 1 ? "attempt" : "attempts",
                                        lastFailure);
        return "no connection on %s in %.3f s%s"
                .formatted(
                        AddressText.describe(localAddress()), timeout.toMillis() / 1e3, failures);
    }

    private void takeAll() {
        while (!isClosed()) {
            try {
                Inbound inbound = acceptor.awaitInbound();
                if (inbound != null) {
                    take(inbound);
                }
            } catch (IOException | RuntimeException failure) {
                // Closed; or this one could not be taken, and the next may do better.
                if (!isClosed()) {
                    remember("taking a connection", failure);
                    pause();
                }
            }
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(FAILURE_PAUSE_MILLIS);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(Inbound inbound) {
        Handshake handshake = new Handshake(inbound, Deadline.after(handshakeNanos));
        Handshake dropped = null;
        String refusal = "";
        lock.lock();
        try {
            if (isClosed) {
                refusal = "the listener is closing";
            } else if (ready.size() >= MAX_READY) {
                refusal = ready.size() + " connections wait to be accepted already";
            } else if (pending.size() >= MAX_PENDING) {
                dropped = oldestStranger();
                refusal = dropped == null ? pending.size() + " handshakes are under way" : "";
            }
            if (refusal.isEmpty()) {
                pending.remove(dropped);
                pending.add(handshake);
            }
        } finally {
            lock.unlock();
        }
        if (dropped != null) {
            dropped.abort();
            remember(
                    dropped.inbound.peer(),
                    new IOException("dropped: it said nothing while others came in"));
        }
        if (refusal.isEmpty()) {
            handshake.thread = Thread.ofVirtual().name("rdmanet-handshake").start(handshake);
        } else {
            remember(inbound.peer(), new IOException("refused: " + refusal));
            refuseElsewhere(inbound, refusal);
        }
    }

    /// Refusing can take a moment, in which the loop goes on.
    private static void refuseElsewhere(Inbound inbound, String refusal) {
        Thread.ofVirtual().name("rdmanet-refusal").start(() -> inbound.refuse(refusal));
    }

    private @Nullable Handshake oldestStranger() {
        for (Handshake handshake : pending) {
            if (handshake.isStranger) {
                return handshake;
            }
        }
        return null;
    }

    private void remember(String who, Throwable failure) {
        String text = who + ": " + failure.getMessage();
        lock.lock();
        try {
            failureCount++;
            lastFailure = text;
        } finally {
            lock.unlock();
        }
        LOGGER.log(System.Logger.Level.DEBUG, text, failure);
    }

    @Override
    public void close() {
        Set<Handshake> aborted;
        Deque<C> neverTaken;
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            isClosed = true;
            aborted = new LinkedHashSet<>(pending);
            neverTaken = new ArrayDeque<>(ready);
            ready.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        acceptor.close();
        thread.interrupt();
        aborted.forEach(Handshake::abort);
        neverTaken.forEach(ListenerLoop::closeQuietly);
        awaitEnd(aborted);
    }

    /// So that nothing is left behind once close has returned, if that can be had in time.
    private void awaitEnd(Set<Handshake> aborted) {
        Deadline deadline = Deadline.after(TimeUnit.MILLISECONDS.toNanos(CLOSE_WAIT_MILLIS));
        try {
            if (Thread.currentThread() != thread) {
                thread.join(deadline.remainingMillis());
            }
            for (Handshake handshake : aborted) {
                Thread working = handshake.thread;
                if (working != null) {
                    working.join(deadline.remainingMillis());
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(AutoCloseable connection) {
        try {
            connection.close();
        } catch (Exception failure) { // what AutoCloseable declares
            LOGGER.log(System.Logger.Level.DEBUG, "closing an untaken connection", failure);
        }
    }

    /// One who came in, until it is a connection or has been sent away.
    ///
    /// `isStranger` is guarded by the loop's lock; `thread` is written by the loop before anybody
    /// can join it, or read as null by a close that comes in between, which then does not wait.
    private final class Handshake implements Runnable {
        private final Inbound inbound;
        private final Deadline deadline;
        private volatile @Nullable Thread thread;
        private boolean isStranger = true;

        Handshake(Inbound inbound, Deadline deadline) {
            this.inbound = inbound;
            this.deadline = deadline;
        }

        @Override
        public void run() {
            C connection = null;
            try {
                connection = open(inbound.rendezvous(deadline));
            } catch (IOException | RuntimeException failure) {
                if (!isClosed()) {
                    remember(inbound.peer(), failure);
                }
            } finally {
                if (connection == null) {
                    inbound.close();
                }
                finish(connection);
            }
        }

        private C open(Rendezvous rendezvous) throws IOException {
            becomeKnown();
            try {
                return opener.open(rendezvous, deadline);
            } catch (IOException | RuntimeException | Error failure) {
                rendezvous.refuse(String.valueOf(failure.getMessage()));
                throw failure;
            }
        }

        private void becomeKnown() {
            lock.lock();
            try {
                isStranger = false;
            } finally {
                lock.unlock();
            }
        }

        private void finish(@Nullable C connection) {
            boolean isUnwanted;
            lock.lock();
            try {
                pending.remove(this);
                isUnwanted = isClosed;
                if (connection != null && !isUnwanted) {
                    ready.add(connection);
                    changed.signal();
                }
            } finally {
                lock.unlock();
            }
            if (connection != null && isUnwanted) {
                closeQuietly(connection);
            }
        }

        /// Ends it from another thread: hangs up, and wakes what waits elsewhere.
        void abort() {
            inbound.close();
            Thread working = thread;
            if (working != null) {
                working.interrupt();
            }
        }
    }
}
