package io.rdmanet.internal.setup;

/// Asks for the state of this end's port once sends have been unanswered for a while.
///
/// All retries end sooner than that; but a device that cannot get rid of its packets may count
/// none. Belongs to one thread at a time.
public final class PortWatch {
    /// How long sends may be unanswered before the port is asked, and how often then.
    private static final long PATIENCE_NANOS = 1_500_000_000;

    private static final long INTERVAL_NANOS = 250_000_000;

    private final Link link;
    private long lastLook = System.nanoTime();

    public PortWatch(Link link) {
        this.link = link;
    }

    /// Whether the port was asked, and is down. Costs two comparisons while it need not be asked.
    ///
    /// @param quietNanos how long nothing has been answered
    /// @param now the time
    public boolean seesPortDown(long quietNanos, long now) {
        if (quietNanos < PATIENCE_NANOS || now - lastLook < INTERVAL_NANOS) {
            return false;
        }
        lastLook = now;
        return link.isPortDown();
    }
}
