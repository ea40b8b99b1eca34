package io.rdmanet.bench.run;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Measures subjects in turn: every subject of one size, then of the next, and all of it again for
/// each repeat, so that a machine that slows down for a while slows down all of them. The first
/// round is a rehearsal and counts for nothing.
///
/// Before each run its gate runs. A cell whose gate failed once has no figure, nor one from before:
/// what was wrong once may have been wrong all the time.
///
/// A probe before and after each run tells whether the processors drifted apart meanwhile, and
/// whether the two ends had them for themselves. A run that was disturbed is repeated a few times;
/// the least disturbed one counts. The choice looks at the probes and never at the figure.
///
/// Belongs to one thread.
public final class Harness {
    /// More than the odd interrupt brings.
    private static final double CALM = 1.3;

    /// Processors that are far apart take five times as long as near ones; what takes longer waits
    /// for its turn on a processor.
    private static final double FARTHEST = 8;

    private static final int MOST_ATTEMPTS = 3;
    private static final int MOST_WAITS = 20;

    private final List<Subject> subjects;
    private final Probe probe;
    private final Plan plan;
    private final Consumer<String> progress;
    private final Map<Cell, Map<Integer, Run>> runs = new LinkedHashMap<>();
    private final Map<Cell, String> refusals = new LinkedHashMap<>();
    private double fastest = Double.MAX_VALUE;

    /// How often, how long, and what.
    ///
    /// @param repeats runs of each cell that count
    /// @param nanos of each
    /// @param limit after which no further run begins
    /// @param isWanted which cells
    public record Plan(int repeats, long nanos, Duration limit, Predicate<Cell> isWanted) {}

    /// Measures how far apart two processors are, and whether anything else runs on them.
    @FunctionalInterface
    public interface Probe {
        /// A short handoff.
        Reading read() throws IOException;
    }

    /// What a probe shows.
    ///
    /// @param halfRoundMicros the median
    /// @param disturbance the mean as a multiple of it: 1 where both ends ran all the time; more,
    ///   too, where the median is that of ends that never run at once
    public record Reading(double halfRoundMicros, double disturbance) {}

    /// One run that counts.
    ///
    /// @param sample what it brought
    /// @param before the probe before it
    /// @param after the probe after it
    public record Run(Sample sample, Reading before, Reading after) {
        /// Whether something else ran on the processors.
        public boolean isDisturbed() {
            return disturbance() > CALM;
        }

        double disturbance() {
            return Math.max(before.disturbance(), after.disturbance());
        }
    }

    /// @param progress is shown a few words before each cell
    public Harness(List<Subject> subjects, Probe probe, Plan plan, Consumer<String> progress) {
        this.subjects = List.copyOf(subjects);
        this.probe = probe;
        this.plan = plan;
        this.progress = progress;
    }

    /// Measures.
    public Findings measure() {
        long start = System.nanoTime();
        for (int round = 0; round <= plan.repeats(); round++) {
            for (int size : sizes()) {
                for (Subject subject : subjects) {
                    Cell cell = new Cell(subject.label(), size);
                    if (isPlanned(subject, size)
                            && round <= subject.repeats(plan.repeats())
                            && !refusals.containsKey(cell)
                            && System.nanoTime() - start < plan.limit().toNanos()) {
                        progress.accept(
                                (round == 0 ? "rehearsing" : "round " + round) + ": " + cell);
                        measure(subject, cell, round);
                    }
                }
            }
        }
        return findings();
    }

    private boolean isPlanned(Subject subject, int size) {
        return subject.sizes().contains(size)
                && plan.isWanted().test(new Cell(subject.label(), size));
    }

    private Set<Integer> sizes() {
        Set<Integer> sizes = new LinkedHashSet<>();
        subjects.forEach(subject -> sizes.addAll(subject.sizes()));
        return sizes;
    }

    private void measure(Subject subject, Cell cell, int round) {
        try {
            String refusal = subject.gate(cell.size()).refusal();
            if (!refusal.isEmpty()) {
                refuse(subject, cell, "gate: " + refusal);
                return;
            }
            Run best = run(subject, cell, round);
            for (int i = 1; i < MOST_ATTEMPTS && round > 0 && best.isDisturbed(); i++) {
                Run next = run(subject, cell, round);
                best = next.disturbance() < best.disturbance() ? next : best;
            }
            if (round > 0) {
                runs.computeIfAbsent(cell, key -> new LinkedHashMap<>()).put(round, best);
            }
        } catch (IOException | RuntimeException e) {
            refuse(subject, cell, "failed: " + e.getMessage());
        }
    }

    private Run run(Subject subject, Cell cell, int round) throws IOException {
        Reading before = calmReading();
        Sample sample = subject.measure(cell.size(), plan.nanos(), round == 0);
        Reading after = read();
        double handoff = Math.min(before.halfRoundMicros(), after.halfRoundMicros());
        return new Run(withHandoff(sample, handoff), before, after);
    }

    /// Waits a little for whatever else runs to end.
    private Reading calmReading() throws IOException {
        Reading reading = read();
        for (int i = 0; i < MOST_WAITS && reading.disturbance() > CALM; i++) {
            reading = read();
        }
        return reading;
    }

    private Reading read() throws IOException {
        Reading reading = probe.read();
        double half = reading.halfRoundMicros();
        fastest = Math.min(fastest, half);
        double slowness = half / (fastest * FARTHEST);
        return new Reading(half, Math.max(reading.disturbance(), slowness));
    }

    private static Sample withHandoff(Sample sample, double handoff) {
        Map<String, Double> extras = new HashMap<>(sample.extras());
        extras.put(Sample.HANDOFF, handoff);
        return new Sample(sample.figure(), extras);
    }

    private void refuse(Subject subject, Cell cell, String reason) {
        refusals.put(cell, reason);
        runs.remove(cell);
        subject.reset();
    }

    private Findings findings() {
        Map<Cell, Unit> units = new HashMap<>();
        for (Subject subject : subjects) {
            subject.sizes()
                    .forEach(size -> units.put(new Cell(subject.label(), size), subject.unit()));
        }
        List<Findings.Row> rows = new ArrayList<>();
        runs.forEach((cell, rounds) ->
                rows.add(new Findings.Row(cell, requireNonNull(units.get(cell)), rounds)));
        List<Cell> unreached = new ArrayList<>();
        for (int size : sizes()) {
            for (Subject subject : subjects) {
                Cell cell = new Cell(subject.label(), size);
                if (isPlanned(subject, size)
                        && !runs.containsKey(cell)
                        && !refusals.containsKey(cell)) {
                    unreached.add(cell);
                }
            }
        }
        return new Findings(rows, refusals, unreached);
    }
}
