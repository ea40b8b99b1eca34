package io.rdmanet.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.bench.run.Cell;
import io.rdmanet.bench.run.Findings;
import io.rdmanet.bench.run.Findings.Row;
import io.rdmanet.bench.run.Harness.Reading;
import io.rdmanet.bench.run.Harness.Run;
import io.rdmanet.bench.run.Sample;
import io.rdmanet.bench.run.Target;
import io.rdmanet.bench.run.Target.Bound;
import io.rdmanet.bench.run.Unit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FindingsReportTest {
    private static final Reading CALM = new Reading(0.05, 1);
    private static final Cell FAST = new Cell("fast", 64);
    private static final Cell SLOW = new Cell("slow", 64);
    private static final Cell BROKEN = new Cell("broken", 65536);
    private static final Cell LATE = new Cell("late", 64);
    private static final Target TARGET = new Target(SLOW, "", "fast", Bound.AT_LEAST, 0.5, 0.1, "");
    private static final Findings FINDINGS =
            new Findings(
                    List.of(row(FAST, 20e6), row(SLOW, 8e6)),
                    Map.of(BROKEN, "gate: 1 of 100 messages arrived wrong"),
                    List.of(LATE));

    private static Row row(Cell cell, double figure) {
        return new Row(
                cell, Unit.MESSAGES_PER_SECOND, Map.of(1, new Run(Sample.of(figure), CALM, CALM)));
    }

    private static String line(String beginning) {
        return FindingsTable.lines(FINDINGS, List.of(TARGET)).stream()
                .filter(line -> line.startsWith(beginning))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void printsFigureReferenceRatioAndWhetherItIsEnough() {
        assertThat(line("slow")).contains("8.00 M/s", "fast", "0.40", ">= 0.50", "NO");
    }

    @Test
    void printsNoFigureWhereTheGateFailed() {
        assertThat(line("broken"))
                .contains("none", "1 of 100 messages arrived wrong")
                .doesNotContain("GB/s", "M/s");
    }

    @Test
    void namesTheCellsThatTimeDidNotReach() {
        assertThat(line("late")).contains("none", "not reached within --limit");
    }

    @Test
    void writesTheSameAsJson() {
        String document = FindingsJson.of(FINDINGS, List.of(TARGET), List.of("--check"), "today");

        assertThat(document)
                .contains("\"command\" : \"bench/run --check\"")
                .contains("\"value\" : 0.4")
                .contains("\"met\" : false")
                .contains("\"aboveFloor\" : true")
                .contains("\"reason\" : \"gate: 1 of 100 messages arrived wrong\"")
                .contains("\"beforeMicros\" : 0.05")
                .containsPattern("(?s)unreached.*\"late\"");
    }
}
