package io.rdmanet.bw.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/// Time that the virtual machine stopped all threads for, told by JFR.
public final class SafepointClock implements AutoCloseable {
    private static final String EVENT = "jdk.ExecuteVMOperation";

    private final RecordingStream stream = new RecordingStream();
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    private SafepointClock() {}

    /// Begins to count.
    public static SafepointClock start() {
        SafepointClock clock = new SafepointClock();
        // JFR's own threshold would hide all but the longest.
        clock.stream.enable(EVENT).withThreshold(Duration.ZERO);
        clock.stream.onEvent(EVENT, clock::count);
        clock.stream.startAsync();
        return clock;
    }

    private void count(RecordedEvent event) {
        if (event.getBoolean("safepoint")) {
            operations.incrementAndGet();
            nanos.addAndGet(event.getDuration().toNanos());
        }
    }

    /// Ends counting; only then are all events in.
    public void stop() {
        stream.stop();
    }

    /// Operations for which all threads stopped.
    public long operations() {
        return operations.get();
    }

    /// How long they took.
    public long nanos() {
        return nanos.get();
    }

    @Override
    public void close() {
        stream.close();
    }
}
