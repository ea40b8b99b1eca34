package io.rdmanet.loopback;

import io.rdmanet.verbs.CompletionStatus;
import org.jspecify.annotations.Nullable;

/// Executes posted datagrams: each goes where its request says, or is lost, which is a success.
final class DatagramEngine implements SendExecutor {
    private static final int LOCAL_PROTECTION = CompletionStatus.LOCAL_PROTECTION_ERROR.code();

    private final DatagramDestinations destinations;
    private final DatagramSender sender;
    private @Nullable DatagramDestination unannounced;

    DatagramEngine(DatagramDestinations destinations, DatagramSender sender) {
        this.destinations = destinations;
        this.sender = sender;
    }

    @Override
    public boolean isReachable() {
        destinations.sweepIfDue();
        return true;
    }

    @Override
    public int executeShort(SendRequests requests, int first, int count) {
        return 0;
    }

    @Override
    public int execute(SendRequests requests, int index) {
        DatagramColumns columns = requests.datagrams;
        DatagramDestination destination = columns == null ? null : columns.destination(index);
        if (columns == null || destination == null) {
            throw new AssertionError("a datagram was posted without a receiver");
        }
        if (!requests.hasOpenRegions(index)) {
            return LOCAL_PROTECTION;
        }
        if (destination != unannounced) {
            announce();
            unannounced = destination;
        }
        try {
            return destination.deliver(requests, index, columns.queueKey(index), sender);
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
