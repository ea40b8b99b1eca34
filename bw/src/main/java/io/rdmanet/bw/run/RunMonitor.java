package io.rdmanet.bw.run;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// How far the current run is, for progress lines and for Ctrl-C; and the wish to stop it.
///
/// The running thread writes now and then ([RunLimit] decides when); any thread may read and ask to
/// stop.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | `completed` | running thread | opaque | opaque | nothing: a figure for the eye |
/// | `run` | running thread | volatile | volatile | itself: an immutable record |
/// | `stopRequested` | any | opaque | opaque | nothing: seen soon is enough |
public final class RunMonitor {
    /// A run under way.
    ///
    /// @param size bytes of each message
    /// @param count how many messages, 0 if that is not known
    /// @param limitNanos how long, 0 if that is not known
    /// @param startNanos `System.nanoTime()` at the start
    public record Run(int size, long count, long limitNanos, long startNanos) {}

    private static final Run NONE = new Run(0, 0, 0, 0);
    private static final VarHandle COMPLETED;
    private static final VarHandle STOP_REQUESTED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COMPLETED = lookup.findVarHandle(RunMonitor.class, "completed", long.class);
            STOP_REQUESTED = lookup.findVarHandle(RunMonitor.class, "stopRequested", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through its VarHandle
    private long completed;

    @SuppressWarnings("unused") // through its VarHandle
    private boolean stopRequested;

    // Volatile since it is written once a run and read by another thread.
    private volatile Run run = NONE;

    /// A run begins.
    void begin(Run next) {
        completed(0);
        run = next;
    }

    /// The run is over.
    void end() {
        run = NONE;
    }

    /// So many messages are through.
    void completed(long messages) {
        COMPLETED.setOpaque(this, messages);
    }

    /// How many messages are through, as far as was told.
    public long completed() {
        return (long) COMPLETED.getOpaque(this);
    }

    /// The run under way.
    public Run run() {
        return run;
    }

    /// Whether a run is under way.
    public boolean isRunning() {
        return run.size() > 0;
    }

    /// Asks that the run under way, and the whole measurement, end soon.
    public void requestStop() {
        STOP_REQUESTED.setOpaque(this, true);
    }

    /// Whether somebody asked to stop.
    public boolean stopRequested() {
        return (boolean) STOP_REQUESTED.getOpaque(this);
    }
}
