package io.rdmanet.loopback;

import io.rdmanet.verbs.CompletionStatus;
import org.jspecify.annotations.Nullable;

/// Executes posted datagrams: each goes where its request says, or is lost, which is a success.
final class DatagramEngine implements SendExecutor {
    private static final int LOCAL_PROTECTION = CompletionStatus.LOCAL_PROTECTION_ERROR.code();

    private final SendQueue queue;
    private final DatagramColumns columns;
    private final DatagramDestinations destinations;
    private final DatagramSender sender;
    private @Nullable DatagramDestination unannounced;

    DatagramEngine(
            SendQueue queue,
            DatagramColumns columns,
            DatagramDestinations destinations,
            DatagramSender sender) {
        this.queue = queue;
        this.columns = columns;
        this.destinations = destinations;
        this.sender = sender;
    }

    @Override
    public boolean isReachable() {
        destinations.sweepIfDue();
        return true;
    }

    @Override
    public int execute(int slot) {
        DatagramDestination destination = columns.destination(slot);
        if (destination == null) {
            throw new AssertionError("a datagram was posted without a receiver");
        }
        if (!queue.hasOpenRegions(slot)) {
            return LOCAL_PROTECTION;
        }
        if (destination != unannounced) {
            announce();
            unannounced = destination;
        }
        try {
            return destination.deliver(queue, slot, columns.queueKey(slot), sender);
        } catch (IllegalStateException regionClosedMeanwhile) {
            return LOCAL_PROTECTION;
        }
    }

    @Override
    public int minRnrTimer() {
        return 0;
    }

    @Override
    public void announce() {
        DatagramDestination last = unannounced;
        unannounced = null;
        if (last != null) {
            last.announce();
        }
    }
}
