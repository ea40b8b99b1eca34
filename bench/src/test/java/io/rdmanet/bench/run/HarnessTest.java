package io.rdmanet.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.bench.run.Harness.Plan;
import io.rdmanet.bench.run.Harness.Reading;
import io.rdmanet.bench.run.Target.Bound;
import io.rdmanet.bench.run.Target.Judgement;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HarnessTest {
    private static final Verdict RIGHT = new Verdict(100, 100, 0);
    private static final Cell ONE = new Cell("one", 64);
    private static final Cell OTHER = new Cell("other", 64);

    private final List<String> journal = new ArrayList<>();

    private Findings measure(int repeats, Subject... subjects) {
        return measure(() -> new Reading(0.1, 1), repeats, subjects);
    }

    private static Findings measure(Harness.Probe probe, int repeats, Subject... subjects) {
        Plan plan = new Plan(repeats, 1, Duration.ofMinutes(1), cell -> true);
        return new Harness(List.of(subjects), probe, plan, words -> {}).measure();
    }

    @ParameterizedTest
    @CsvSource({
        "100, 100, 1, 1 of 100 messages arrived wrong",
        "99, 100, 0, 99 of 100 messages arrived",
        "0, 0, 0, the gate checked no message",
    })
    void givesNoFigureWhereTheGateFailed(long checked, long expected, long bad, String reason) {
        FakeSubject broken =
                new FakeSubject("one", journal, 1.0, 2.0)
                        .gates(new Verdict(checked, expected, bad));

        Findings findings = measure(1, broken, new FakeSubject("other", journal, 1.0, 2.0));

        assertThat(findings.row(ONE)).isEmpty();
        assertThat(findings.refusals()).containsOnlyKeys(ONE);
        assertThat(findings.refusals().get(ONE)).isEqualTo("gate: " + reason);
        assertThat(findings.row(OTHER)).isPresent();
        assertThat(journal).doesNotContain("run one");
        assertThat(broken.resets).isOne();
    }

    @Test
    void takesBackFiguresOnceAGateFails() {
        Verdict wrong = new Verdict(100, 100, 1);
        FakeSubject broken =
                new FakeSubject("one", journal, 1.0, 2.0, 3.0).gates(RIGHT, RIGHT, wrong);

        Findings findings = measure(2, broken);

        assertThat(findings.row(ONE)).isEmpty();
        assertThat(findings.refusals()).containsOnlyKeys(ONE);
    }

    @Test
    void givesNoFigureWhereARunFailed() {
        Findings findings = measure(2, new FakeSubject("one", journal, 1.0, 2.0));

        assertThat(findings.row(ONE)).isEmpty();
        assertThat(findings.refusals().get(ONE)).isEqualTo("failed: no more figures");
    }

    @Test
    void givesNoFigureWhereTheProbeFailed() {
        Harness.Probe broken =
                () -> {
                    throw new IOException("handoff: waited in vain");
                };

        Findings findings = measure(broken, 1, new FakeSubject("one", journal, 1.0, 2.0));

        assertThat(findings.rows()).isEmpty();
        assertThat(findings.refusals().get(ONE)).contains("waited in vain");
    }

    @Test
    void runsSubjectsInTurnEachBehindItsGate() {
        measure(
                1,
                new FakeSubject("one", journal, 1.0, 2.0),
                new FakeSubject("other", journal, 1.0, 2.0));

        assertThat(journal)
                .containsExactly(
                        "gate one",
                        "run one",
                        "gate other",
                        "run other", // the rehearsal
                        "gate one",
                        "run one",
                        "gate other",
                        "run other");
    }

    @Test
    void countsTheRehearsalForNothing() {
        Findings findings = measure(2, new FakeSubject("one", journal, 900.0, 2.0, 3.0));

        assertThat(findings.row(ONE).orElseThrow().figures().max()).isEqualTo(3);
    }

    @Test
    void judgesByTheMedianOfTheRatiosOfEachRound() {
        Findings findings =
                measure(
                        3,
                        new FakeSubject("one", journal, 1.0, 2.0, 30.0, 5.0),
                        new FakeSubject("other", journal, 1.0, 1.0, 10.0, 1.0));
        Target target = new Target(ONE, "", "other", Bound.AT_LEAST, 3, 1, "");

        Judgement judgement = target.judge(findings).orElseThrow();

        assertThat(judgement.value().median()).isEqualTo(3); // of 2, 3 and 5
        assertThat(judgement.isMet()).isTrue();
    }

    @Test
    void judgesNothingWithoutItsReference() {
        Findings findings = measure(1, new FakeSubject("one", journal, 1.0, 2.0));

        assertThat(new Target(ONE, "", "other", Bound.AT_LEAST, 3, 1, "").judge(findings))
                .isEmpty();
    }

    @Test
    void listsWhatTimeDidNotReach() {
        Plan plan = new Plan(1, 1, Duration.ZERO, cell -> !cell.equals(OTHER));
        Findings findings =
                new Harness(
                                List.of(
                                        new FakeSubject("one", journal, 1.0, 2.0),
                                        new FakeSubject("other", journal, 1.0, 2.0)),
                                () -> new Reading(0.1, 1),
                                plan,
                                words -> {})
                        .measure();

        assertThat(findings.rows()).isEmpty();
        assertThat(findings.unreached()).containsExactly(ONE);
    }

    @Test
    void repeatsADisturbedRunAndKeepsTheLeastDisturbedWhateverItsFigure() {
        List<Double> disturbances = new ArrayList<>(List.of(1.0, 1.0));
        disturbances.addAll(List.of(1.0, 9.0, 1.0, 2.0, 1.0, 5.0)); // before and after each attempt

        Findings findings =
                measure(
                        () -> new Reading(0.1, disturbances.removeFirst()),
                        1,
                        new FakeSubject("one", journal, 1.0, 20.0, 10.0, 30.0));

        assertThat(findings.row(ONE).orElseThrow().figures().median()).isEqualTo(10);
        assertThat(findings.steadiness().disturbed()).isOne();
    }

    @Test
    void takesEndsThatNeverRunAtOnceForDisturbed() {
        List<Double> probes = new ArrayList<>(List.of(0.1, 0.1, 0.1, 1000.0, 0.1, 0.1));

        Findings findings =
                measure(
                        () -> new Reading(probes.removeFirst(), 1),
                        1,
                        new FakeSubject("one", journal, 1.0, 2.0, 3.0));

        assertThat(findings.row(ONE).orElseThrow().figures().median()).isEqualTo(3);
        assertThat(findings.steadiness().disturbed()).isZero();
    }

    @Test
    void waitsForACalmMomentBeforeARun() {
        List<Double> disturbances = new ArrayList<>(List.of(1.0, 1.0));
        disturbances.addAll(List.of(3.0, 3.0, 1.0, 1.0));

        Findings findings =
                measure(
                        () -> new Reading(0.1, disturbances.removeFirst()),
                        1,
                        new FakeSubject("one", journal, 1.0, 2.0));

        assertThat(findings.row(ONE)).isPresent();
        assertThat(findings.steadiness().disturbed()).isZero();
        assertThat(disturbances).isEmpty();
    }

    @Test
    void tellsNearFromFarAndSeesADrift() {
        List<Double> probes =
                new ArrayList<>(List.of(0.05, 0.05, 0.05, 0.05, 0.05, 0.25, 0.25, 0.26));

        Findings findings =
                measure(
                        () -> new Reading(probes.removeFirst(), 1),
                        3,
                        new FakeSubject("one", journal, 1.0, 2.0, 3.0, 4.0));

        Findings.Steadiness steadiness = findings.steadiness();
        assertThat(steadiness.near()).isOne();
        assertThat(steadiness.far()).isOne();
        assertThat(steadiness.drifted()).isOne();
        assertThat(steadiness.runs()).isEqualTo(3);
    }
}
