package io.rdmanet.bench.command;

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
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    private static final Cell FAST = new Cell("fast", 64);
    private static final Cell SLOW = new Cell("slow", 64);
    private static final Target TARGET = new Target(SLOW, "", "fast", Bound.AT_LEAST, 0.5, 0.1, "");

    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(text, true, StandardCharsets.UTF_8);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--json /no/such/x",
                "--limit 0",
                "--limit -5",
                "--seconds 6",
                "--seconds 0",
                "--seconds NaN",
                "--repeats 0",
                "--slices 1001",
                "--only ("
            })
    void refusesWithStatusTwo(String commandLine) {
        StringWriter complaint = new StringWriter();
        int status =
                new CommandLine(new Main(List.of(), stream, stream))
                        .setErr(new PrintWriter(complaint))
                        .execute(commandLine.split(" "));
        assertThat(status).isEqualTo(2);
        assertThat(complaint.toString())
                .startsWith(commandLine.substring(0, commandLine.indexOf(' ')))
                .doesNotContain("\tat ");
    }

    private int status(String options, Findings findings, Cell unwanted) {
        Main main = new Main(List.of(), stream, stream);
        new CommandLine(main).parseArgs(options.split(" "));
        return main.status(findings, List.of(TARGET), cell -> !cell.equals(unwanted));
    }

    private static Row row(Cell cell, double figure) {
        Reading calm = new Reading(0.05, 1);
        return new Row(
                cell, Unit.MESSAGES_PER_SECOND, Map.of(1, new Run(Sample.of(figure), calm, calm)));
    }

    @ParameterizedTest
    @CsvSource({"5, 0", "0.9, 1"})
    void checkFailsBelowAFloor(double figure, int status) {
        Findings findings =
                new Findings(List.of(row(FAST, 10), row(SLOW, figure)), Map.of(), List.of());
        assertThat(status("--check", findings, new Cell("none", 64))).isEqualTo(status);
    }

    @Test
    void checkFailsWhereWhatWasWantedWasNotMeasured() {
        Findings findings = new Findings(List.of(row(FAST, 10)), Map.of(), List.of(SLOW));
        assertThat(status("--check", findings, new Cell("none", 64))).isEqualTo(1);
        assertThat(text.toString(StandardCharsets.UTF_8)).contains("not measured", "slow");
        assertThat(status("--repeats 1", findings, new Cell("none", 64))).isZero();
    }

    /// Without its reference, or without the cell, nothing was to be judged.
    @Test
    void checkLeavesOutWhatWasNotWanted() {
        Findings findings = new Findings(List.of(row(FAST, 10)), Map.of(), List.of());
        assertThat(status("--check", findings, SLOW)).isZero();
        assertThat(status("--check", findings, FAST)).isZero();
    }
}
