package io.rdmanet.loopback;

import io.rdmanet.loopback.link.PeerLink;
import io.rdmanet.verbs.GlobalIdentifier;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The receivers that one queue pair has sent datagrams to, or is about to. Any thread may look for
/// one; looking allocates nothing if it is known.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | table | whoever adds or removes, under the lock | volatile | volatile | copy on write |
/// | isSweepDue | anybody; holder of the execution right | volatile | volatile | |
final class DatagramDestinations {
    private static final int INITIAL_LENGTH = 16;
    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    private final GlobalIdentifier source;
    private final ReentrantLock lock = new ReentrantLock();

    /// Open addressing, never more than half full.
    private volatile @Nullable DatagramDestination[] table =
            new @Nullable DatagramDestination[INITIAL_LENGTH];

    private int count;
    private volatile boolean isSweepDue;

    /// @param source the sender's device
    DatagramDestinations(GlobalIdentifier source) {
        this.source = source;
    }

    /// A queue pair of a peer's; made on the first call, which does not look for it yet.
    DatagramDestination find(PeerLink link, int number) {
        @Nullable DatagramDestination[] known = table;
        DatagramDestination found = known[slotOf(known, link, number)];
        return found != null ? found : add(link, number);
    }

    private DatagramDestination add(PeerLink link, int number) {
        lock.lock();
        try {
            @Nullable DatagramDestination[] known = table;
            DatagramDestination found = known[slotOf(known, link, number)];
            if (found != null) {
                return found;
            }
            DatagramDestination added = new DatagramDestination(link, number, source);
            boolean isFull = 2 * (count + 1) > known.length;
            if (isFull) {
                isSweepDue = true; // those who have gone, next time somebody sends
            }
            @Nullable DatagramDestination[] changed =
                    isFull
                            ? new @Nullable DatagramDestination[2 * known.length]
                            : Arrays.copyOf(known, known.length);
            if (isFull) {
                Arrays.stream(known).forEach(each -> put(changed, each));
            }
            put(changed, added);
            count++;
            table = changed;
            return added;
        } finally {
            lock.unlock();
        }
    }

    private static void put(
            @Nullable DatagramDestination[] into, @Nullable DatagramDestination destination) {
        if (destination != null) {
            into[slotOf(into, destination.link(), destination.number())] = destination;
        }
    }

    /// Where a receiver is, or would go.
    private static int slotOf(@Nullable DatagramDestination[] in, PeerLink link, int number) {
        long mixed = (link.peer().low() + number) * MULTIPLIER;
        int mask = in.length - 1;
        int slot = (int) (mixed >>> Integer.SIZE) & mask;
        DatagramDestination there = in[slot];
        while (there != null && (there.number() != number || there.link() != link)) {
            slot = (slot + 1) & mask;
            there = in[slot];
        }
        return slot;
    }

    /// Somebody has gone: lets the next sender forget them.
    void requestSweep() {
        isSweepDue = true;
    }

    /// Forgets who has gone, if that is due. For the holder of the execution right.
    void sweepIfDue() {
        if (isSweepDue) {
            isSweepDue = false;
            sweep();
        }
    }

    private void sweep() {
        lock.lock();
        try {
            @Nullable DatagramDestination[] known = table;
            @Nullable DatagramDestination[] left = new @Nullable DatagramDestination[known.length];
            count = 0;
            for (DatagramDestination each : known) {
                if (each != null && each.isGone()) {
                    each.forget();
                } else if (each != null) {
                    put(left, each);
                    count++;
                }
            }
            table = left;
        } finally {
            lock.unlock();
        }
    }

    /// Unmaps every receiver; each is found again when it is sent to. For the holder of the
    /// execution right.
    void detachAll() {
        for (DatagramDestination each : table) {
            if (each != null) {
                each.detach();
            }
        }
    }
}
