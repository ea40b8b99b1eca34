package io.rdmanet.bw.probe;

import io.rdmanet.bw.probe.ThreadPlacement.Share;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Looks now and then which processor each thread of this process ran on last, as Linux tells it.
///
/// Only threads that ran since the look before count. Belongs to one thread at a time.
final class ProcessorSampler {
    /// The thread that looks sees itself running each time; nobody asked for that.
    static final String OWN_THREAD = "processors";

    private static final Path OWN_TASKS = Path.of("/proc/self/task");

    private final Path tasks;
    private final Map<Path, Seen> seen = new HashMap<>();
    private boolean isFirst = true;

    /// A thread seen before.
    private static final class Seen {
        private final String name;
        private final long firstTicks;
        private final Map<Integer, Integer> samples = new TreeMap<>();
        private long ticks;

        Seen(String name, long firstTicks) {
            this.name = name;
            this.firstTicks = firstTicks;
            ticks = firstTicks;
        }

        ThreadPlacement placement() {
            List<Share> shares = new ArrayList<>();
            samples.forEach((processor, count) -> shares.add(new Share(processor, count)));
            shares.sort(Comparator.comparingInt(Share::samples).reversed());
            return new ThreadPlacement(
                    name, (ticks - firstTicks) * TaskStatus.MILLIS_PER_TICK, shares);
        }
    }

    /// @param tasks the folder with a folder for each thread
    ProcessorSampler(Path tasks) {
        this.tasks = tasks;
    }

    /// Of this process.
    static ProcessorSampler ofThisProcess() {
        return new ProcessorSampler(OWN_TASKS);
    }

    /// Whether this system tells where threads run.
    boolean isKnown() {
        return Files.isDirectory(tasks);
    }

    /// Looks. The first look only notes what was used before.
    void sample() {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(tasks)) {
            for (Path folder : folders) {
                sample(folder);
            }
        } catch (IOException | DirectoryIteratorException gone) {
            // What was seen before counts.
        }
        isFirst = false;
    }

    private void sample(Path folder) {
        TaskStatus status;
        try {
            // A name may be any bytes.
            status =
                    TaskStatus.parse(
                            Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1));
        } catch (IOException ended) {
            return;
        }
        if (status == null || status.name().equals(OWN_THREAD)) {
            return;
        }
        Seen thread = seen.get(folder);
        if (thread == null) {
            thread = new Seen(status.name(), isFirst ? status.ticks() : 0);
            seen.put(folder, thread);
        }
        if (!isFirst && (status.isRunning() || status.ticks() > thread.ticks)) {
            thread.samples.merge(status.processor(), 1, Integer::sum);
        }
        thread.ticks = status.ticks();
    }

    /// The threads that ran, the busiest first.
    List<ThreadPlacement> placements() {
        return seen.values().stream()
                .filter(thread -> !thread.samples.isEmpty())
                .map(Seen::placement)
                .sorted(
                        Comparator.comparingLong(ThreadPlacement::processorMillis)
                                .reversed()
                                .thenComparing(ThreadPlacement::name))
                .toList();
    }
}
