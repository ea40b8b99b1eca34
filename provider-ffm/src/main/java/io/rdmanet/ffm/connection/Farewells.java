package io.rdmanet.ffm.connection;

import io.rdmanet.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Identifiers that were closed while their peer had not confirmed the end of the connection yet.
///
/// The kernel repeats what says goodbye (DREQ) if it gets lost, every 4 to 5 seconds, but only as
/// long as the identifier is there. So it stays a while, until the peer has confirmed or twice may
/// have been asked again; a thread that sleeps when there is none looks after them. They hold
/// nothing of the program's: its queue pair is closed already.
final class Farewells {
    private static final Farewells OF_THIS_PROCESS = new Farewells();

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(12);
    private static final long PAUSE_MILLIS = 5;

    /// Above that the oldest go at once: a bound on open file descriptors.
    private static final int MOST = 256;

    private final List<Farewell> open = new ArrayList<>();
    private boolean isRunning;

    private Farewells() {}

    private record Farewell(CommunicationIdentifier identifier, long startNanos) {}

    /// Frees a closed identifier when it is time. Never waits.
    static void take(CommunicationIdentifier identifier) {
        OF_THIS_PROCESS.add(new Farewell(identifier, System.nanoTime()));
    }

    private synchronized void add(Farewell farewell) {
        open.add(farewell);
        if (open.size() > MOST) {
            open.removeFirst().identifier.destroy();
        }
        if (!isRunning) {
            isRunning = true;
            Thread.ofPlatform().daemon().name("rdmanet-ffm-farewell").start(this::run);
        }
    }

    private void run() {
        while (destroyDone()) {
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException nobodyShould) {
                // It ends by itself.
            }
        }
    }

    private synchronized boolean destroyDone() {
        long now = System.nanoTime();
        for (Iterator<Farewell> each = open.iterator(); each.hasNext(); ) {
            Farewell farewell = each.next();
            if (now - farewell.startNanos > LONGEST_NANOS || isOver(farewell.identifier)) {
                each.remove();
                farewell.identifier.destroy();
            }
        }
        isRunning = !open.isEmpty();
        return isRunning;
    }

    /// Whether the peer has confirmed, or the device has gone. Whatever else was told before is of
    /// no interest any more.
    private static boolean isOver(CommunicationIdentifier identifier) {
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
}
