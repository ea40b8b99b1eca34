package io.rdmanet.bw.probe;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/// Counts what the virtual machine stopped threads for, as JFR tells it.
final class PauseClock implements AutoCloseable {
    private static final String OPERATION = "jdk.ExecuteVMOperation";
    private static final String SAFEPOINT = "jdk.SafepointBegin";
    private static final String COLLECTION = "jdk.GCPhasePause";

    /// Events of connections are on in every recording; this one has no use for them.
    private static final String WAIT = "io.rdmanet.Wait";

    private final RecordingStream stream = new RecordingStream();
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong operationNanos = new AtomicLong();
    private final Sum reaching = new Sum();
    private final Sum collections = new Sum();

    /// Written by the stream's thread, read when that has ended.
    private static final class Sum {
        private final AtomicLong count = new AtomicLong();
        private final AtomicLong nanos = new AtomicLong();
        private final AtomicLong longestNanos = new AtomicLong();

        void add(RecordedEvent event) {
            long each = event.getDuration().toNanos();
            count.incrementAndGet();
            nanos.addAndGet(each);
            longestNanos.accumulateAndGet(each, Math::max);
        }
    }

    private PauseClock() {}

    /// Begins to count.
    static PauseClock start() {
        PauseClock clock = new PauseClock();
        clock.stream.disable(WAIT);
        clock.count(OPERATION, clock::countOperation);
        clock.count(SAFEPOINT, clock.reaching::add);
        clock.count(COLLECTION, clock.collections::add);
        clock.stream.startAsync();
        return clock;
    }

    private void count(String event, Consumer<RecordedEvent> action) {
        // JFR's own thresholds would hide all but the longest.
        stream.enable(event).withThreshold(Duration.ZERO);
        stream.onEvent(event, action);
    }

    private void countOperation(RecordedEvent event) {
        if (event.getBoolean("safepoint")) {
            operations.incrementAndGet();
            operationNanos.addAndGet(event.getDuration().toNanos());
        }
    }

    /// Ends counting; only then are all events in.
    PauseReport stop() {
        stream.stop();
        return new PauseReport(
                operations.get(),
                operationNanos.get(),
                reaching.nanos.get(),
                reaching.longestNanos.get(),
                collections.count.get(),
                collections.nanos.get(),
                collections.longestNanos.get());
    }

    @Override
    public void close() {
        stream.close();
    }
}
