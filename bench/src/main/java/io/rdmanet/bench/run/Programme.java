package io.rdmanet.bench.run;

import io.rdmanet.bench.run.Target.Bound;
import io.rdmanet.bw.run.Mode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// All subjects, and what they should reach.
public final class Programme {
    /// A short message, one of middle length, a long one.
    public static final List<Integer> SIZES = List.of(64, 1024, 65536);

    private static final int SHORT = 64;
    private static final int MIDDLE = 1024;
    private static final int LONG = 65536;
    private static final int BATCH = 32;

    private static final String RAW = "raw -b 128";
    private static final String ONE_BUFFER = "raw one buffer";
    private static final String ZERO_COPY = "zero-copy 32";
    private static final String BATCHED = "batch -b 32";
    private static final String MESSAGE = "msg";
    private static final String LATENCY_RAW = "lat raw";
    private static final String LATENCY_CONN = "lat zero-copy";

    /// Floors are so far from what is wanted, for a machine with other things to do.
    private static final double LENIENCE = 3;

    /// Bytes per message that still round to none.
    private static final double NO_ALLOCATION = 0.05;

    private Programme() {}

    /// The subjects, each followed by what it is compared with.
    ///
    /// @param folder for files that processes share; subjects remove theirs
    /// @param slices of each run, the fastest of which counts
    public static List<Subject> subjects(Path folder, int slices) {
        return List.of(
                new HandoffSubject(folder),
                new CopySubject(SIZES, slices),
                new TierSubject(RAW, Mode.RAW, 1, false, SIZES, slices),
                new AeronSubject(SIZES, folder.resolve("aeron"), slices),
                new TierSubject(ONE_BUFFER, Mode.RAW, 1, true, List.of(LONG), slices),
                new TierSubject(ZERO_COPY, Mode.ZERO_COPY, BATCH, false, SIZES, slices),
                new TierSubject(BATCHED, Mode.BATCH, BATCH, false, SIZES, slices),
                new TierSubject(MESSAGE, Mode.MSG, 1, false, SIZES, slices),
                new LatencySubject(LATENCY_RAW, Mode.RAW, SHORT),
                new LatencySubject(LATENCY_CONN, Mode.ZERO_COPY, SHORT),
                new IdleSubject(false),
                new IdleSubject(true));
    }

    /// The probe among the subjects.
    public static Harness.Probe probe(List<Subject> subjects) {
        for (Subject subject : subjects) {
            if (subject instanceof Harness.Probe probe) {
                return probe;
            }
        }
        throw new IllegalArgumentException("no subject is a probe: " + subjects);
    }

    /// What the subjects should reach.
    public static List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        targets.add(atLeast(RAW, SHORT, AeronSubject.LABEL, 1.2, ""));
        targets.add(atLeast(RAW, MIDDLE, AeronSubject.LABEL, 1.5, ""));
        targets.add(atLeast(RAW, LONG, CopySubject.LABEL, 1.3, "both ends poll"));
        targets.add(atLeast(ONE_BUFFER, LONG, RAW, 1.3, ""));
        targets.add(atLeast(ZERO_COPY, SHORT, RAW, 0.7, ""));
        targets.add(atLeast(ZERO_COPY, MIDDLE, RAW, 0.8, ""));
        targets.add(atLeast(ZERO_COPY, LONG, RAW, 0.95, ""));
        targets.add(atLeast(BATCHED, SHORT, RAW, 0.5, ""));
        targets.add(atLeast(BATCHED, LONG, RAW, 0.5, ""));
        targets.add(atLeast(MESSAGE, LONG, BATCHED, 0.8, ""));
        targets.add(atMost(LATENCY_RAW, Target.OWN_PROBE, 1.5, "p50"));
        targets.add(atMost(LATENCY_CONN, Target.OWN_PROBE, 2.5, "p50"));
        targets.add(atMost(IdleSubject.WAKE_UP, "", 60, "p50, microseconds"));
        targets.add(atMost(IdleSubject.IDLE, "", 1, "% of a core in 5 s"));
        for (String tier : List.of(RAW, ZERO_COPY, BATCHED, MESSAGE)) {
            targets.add(noAllocation(tier, Sample.SENDER_ALLOCATED, "sender, bytes per message"));
            targets.add(
                    noAllocation(tier, Sample.RECEIVER_ALLOCATED, "receiver, bytes per message"));
        }
        return targets;
    }

    private static Target atLeast(
            String subject, int size, String reference, double reach, String note) {
        return new Target(
                new Cell(subject, size),
                "",
                reference,
                Bound.AT_LEAST,
                reach,
                reach / LENIENCE,
                note);
    }

    private static Target atMost(String subject, String reference, double reach, String note) {
        return new Target(
                new Cell(subject, SHORT),
                "",
                reference,
                Bound.AT_MOST,
                reach,
                reach * LENIENCE,
                note);
    }

    private static Target noAllocation(String tier, String metric, String note) {
        return new Target(new Cell(tier, SHORT), metric, "", Bound.AT_MOST, NO_ALLOCATION, 1, note);
    }
}
