package io.rdmanet.bw.probe;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Watches this process while it measures: pauses of the virtual machine, and which processors its
/// threads run on.
///
/// Belongs to one thread, which closes it; [#stop()] waits for the last events.
public final class ProcessProbe implements AutoCloseable {
    /// Reading what 25 threads do takes about a millisecond.
    private static final long SAMPLE_MILLIS = 250;

    private final PauseClock pauses = PauseClock.start();
    private final @Nullable Thread sampling;
    private final ProcessorSampler processors = ProcessorSampler.ofThisProcess();

    private ProcessProbe() {
        boolean isKnown = processors.isKnown();
        if (isKnown) {
            processors.sample();
        }
        sampling =
                isKnown
                        ? Thread.ofPlatform()
                                .daemon()
                                .name(ProcessorSampler.OWN_THREAD)
                                .start(this::sample)
                        : null;
    }

    /// Begins to watch.
    public static ProcessProbe start() {
        return new ProcessProbe();
    }

    private void sample() {
        try {
            while (true) {
                Thread.sleep(SAMPLE_MILLIS);
                processors.sample();
            }
        } catch (InterruptedException end) {
            // So it is stopped.
        }
    }

    /// Ends watching.
    public ProcessReport stop() {
        List<ThreadPlacement> threads = placements();
        PauseReport report = pauses.stop();
        if (threads != null) {
            threads.forEach(ThreadEvent::commit);
        }
        return new ProcessReport(report, threads);
    }

    private @Nullable List<ThreadPlacement> placements() {
        if (sampling == null) {
            return null;
        }
        sampling.interrupt();
        try {
            sampling.join();
        } catch (InterruptedException e) {
            // What was seen until now has to do, but not while the other thread still writes it.
            Thread.currentThread().interrupt();
            return List.of();
        }
        processors.sample();
        return processors.placements();
    }

    @Override
    public void close() {
        if (sampling != null) {
            sampling.interrupt();
        }
        pauses.close();
    }
}
