package io.rdmanet.ffm.connection;

import io.rdmanet.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Identifiers that were closed while their peer had not confirmed the end of the connection yet.
///
/// The kernel repeats what says goodbye (DREQ) if it gets lost, every 4 to 5 seconds, but only as
/// long as the identifier is there. So it stays a while, until the peer has confirmed or twice may
/// have been asked again; a thread that sleeps when there is none looks after them. They hold
/// nothing of the program's: its queue pair is closed already.
final class Farewells {
    /// What stays a while.
    interface Parting {
        /// Whether it need not stay any longer. Never blocks.
        boolean isOver();

        /// Frees it, which may take a while.
        void destroy();
    }

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(12);
    private static final long PAUSE_MILLIS = 5;

    /// Above that the oldest go at the next look: a bound on open file descriptors.
    private static final int MOST = 256;

    private static final Farewells OF_THIS_PROCESS = new Farewells(MOST, LONGEST_NANOS);

    private final int most;
    private final long longestNanos;

    // Both guarded by the monitor, which is never held while anything else is called.
    private final List<Farewell> open = new ArrayList<>();
    private boolean isRunning;

    Farewells(int most, long longestNanos) {
        this.most = most;
        this.longestNanos = longestNanos;
    }

    private record Farewell(Parting parting, long startNanos) {}

    /// Frees a closed identifier when it is time. Never waits: not even for another one that is
    /// being freed.
    static void take(CommunicationIdentifier identifier) {
        OF_THIS_PROCESS.add(new OfIdentifier(identifier));
    }

    synchronized void add(Parting parting) {
        open.add(new Farewell(parting, System.nanoTime()));
        if (!isRunning) {
            isRunning = true;
            Thread.ofPlatform().daemon().name("rdmanet-ffm-farewell").start(this::run);
        }
    }

    private void run() {
        while (true) {
            destroyDone();
            if (hasEnded()) {
                return;
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException nobodyShould) {
                // It ends by itself.
            }
        }
    }

    private void destroyDone() {
        Farewell[] all = all();
        long now = System.nanoTime();
        for (int i = 0; i < all.length; i++) {
            Farewell each = all[i];
            if (i < all.length - most
                    || now - each.startNanos > longestNanos
                    || each.parting.isOver()) {
                remove(each);
                each.parting.destroy();
            }
        }
    }

    private synchronized Farewell[] all() {
        return open.toArray(Farewell[]::new);
    }

    private synchronized void remove(Farewell farewell) {
        open.remove(farewell);
    }

    private synchronized boolean hasEnded() {
        isRunning = !open.isEmpty();
        return !isRunning;
    }

    private record OfIdentifier(CommunicationIdentifier identifier) implements Parting {
        /// Whether the peer has confirmed, or the device has gone. Whatever else was told before is
        /// of no interest any more.
        @Override
        public boolean isOver() {
            try {
                while (true) {
                    CommunicationEvent event = identifier.pollLast();
                    if (event == null) {
                        return false;
                    }
                    switch (event.type()) {
                        case DISCONNECTED, TIMEWAIT_EXIT, DEVICE_REMOVAL -> {
                            return true;
                        }
                        default -> {}
                    }
                }
            } catch (VerbsException noMoreEvents) {
                return true;
            }
        }

        @Override
        public void destroy() {
            identifier.destroy();
        }
    }
}
