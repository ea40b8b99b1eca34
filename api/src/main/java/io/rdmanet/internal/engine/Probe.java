package io.rdmanet.internal.engine;

import io.rdmanet.ProbeReport;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Counts where time goes, if it is on; if not, it never looks at the clock.
///
/// | field | writer | read mode | write mode | paired with |
/// |---|---|---|---|---|
/// | counters | any thread | getOpaque | getAndAdd | none: statistics |
final class Probe {
    static final int WORK_REQUESTS = 0;
    static final int POST_NANOS = 1;
    static final int POLL_NANOS = 2;
    static final int CREDIT_WAIT_NANOS = 3;
    static final int COMPLETION_WAIT_NANOS = 4;
    static final int RECEIVE_WAIT_NANOS = 5;
    private static final int COUNTERS_LENGTH = 6;

    private static final VarHandle COUNTER = MethodHandles.arrayElementVarHandle(long[].class);

    private final boolean isOn;
    private final long[] counters = new long[COUNTERS_LENGTH];

    Probe(boolean isOn) {
        this.isOn = isOn;
    }

    boolean isOn() {
        return isOn;
    }

    /// The time now, or 0 if it is off.
    long start() {
        return isOn ? System.nanoTime() : 0;
    }

    /// Adds the time since a start.
    void stop(int counter, long start) {
        if (isOn) {
            COUNTER.getAndAdd(counters, counter, System.nanoTime() - start);
        }
    }

    /// Adds work requests that were posted.
    void posted(int count) {
        if (isOn) {
            COUNTER.getAndAdd(counters, WORK_REQUESTS, (long) count);
        }
    }

    /// A wait is over.
    ///
    /// @param start when it began, from [#start()]
    void waited(Waiter.Reason reason, long start) {
        if (!isOn) {
            return;
        }
        switch (reason) {
            case CREDIT -> stop(CREDIT_WAIT_NANOS, start);
            case COMPLETION -> stop(COMPLETION_WAIT_NANOS, start);
            case MESSAGE -> stop(RECEIVE_WAIT_NANOS, start);
            case HELLO, END -> {}
        }
    }

    ProbeReport report() {
        if (!isOn) {
            return ProbeReport.NONE;
        }
        return new ProbeReport(
                get(WORK_REQUESTS),
                get(POST_NANOS),
                get(POLL_NANOS),
                get(CREDIT_WAIT_NANOS),
                get(COMPLETION_WAIT_NANOS),
                get(RECEIVE_WAIT_NANOS));
    }

    private long get(int counter) {
        return (long) COUNTER.getOpaque(counters, counter);
    }
}
