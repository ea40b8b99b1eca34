package io.rdmanet.bench.report;

import io.rdmanet.bench.run.Cell;
import io.rdmanet.bench.run.Findings;
import io.rdmanet.bench.run.Findings.Row;
import io.rdmanet.bench.run.Findings.Steadiness;
import io.rdmanet.bench.run.Sample;
import io.rdmanet.bench.run.Target;
import io.rdmanet.bench.run.Target.Bound;
import io.rdmanet.bench.run.Target.Judgement;
import io.rdmanet.bench.run.Unit;
import io.rdmanet.bw.report.TextTable;
import io.rdmanet.bw.report.TextTable.Align;
import io.rdmanet.bw.run.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Findings as one table in plain text.
public final class FindingsTable {
    private static final int LONG = 8192;
    private static final int REASON = 120;
    private static final double MILLION = 1e6;
    private static final double BILLION = 1e9;

    private FindingsTable() {}

    /// The lines.
    ///
    /// @param targets what the figures should reach
    public static List<String> lines(Findings findings, List<Target> targets) {
        TextTable table =
                new TextTable(
                        Align.LEFT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.LEFT,
                        Align.LEFT,
                        Align.RIGHT,
                        Align.LEFT,
                        Align.RIGHT,
                        Align.LEFT,
                        Align.LEFT);
        table.row(
                "tier",
                "size",
                "figure",
                "min - max",
                "reference",
                "ratio",
                "min - max",
                "reach",
                "met",
                "");
        for (Row row : findings.rows()) {
            List<Judgement> judgements = new ArrayList<>();
            for (Target target : targets) {
                if (target.cell().equals(row.cell())) {
                    target.judge(findings).ifPresent(judgements::add);
                }
            }
            addRows(table, row, judgements);
        }
        for (Map.Entry<Cell, String> refused : findings.refusals().entrySet()) {
            addNone(table, refused.getKey(), shortened(refused.getValue()));
        }
        for (Cell cell : findings.unreached()) {
            addNone(table, cell, "not reached within --limit");
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.addAll(footer(findings));
        lines.add(rounds(findings));
        return lines;
    }

    private static void addRows(TextTable table, Row row, List<Judgement> judgements) {
        String subject = row.cell().subject();
        String size = size(row.cell());
        String figure = figure(row, row.figures().median());
        String spread = figure(row, row.figures().min()) + " - " + figure(row, row.figures().max());
        String tail =
                row.extra(Sample.P999).map(micros -> "p99.9 " + number(micros) + " us").orElse("");
        if (judgements.isEmpty()) {
            table.row(subject, size, figure, spread, "", "", "", "", "", tail);
        }
        for (Judgement judgement : judgements) {
            Target target = judgement.target();
            Statistics value = judgement.value();
            boolean isAtMost = target.bound() == Bound.AT_MOST;
            table.row(
                    subject,
                    size,
                    figure,
                    spread,
                    target.reference().isEmpty() ? target.note() : target.reference(),
                    number(value.median()),
                    number(value.min()) + " - " + number(value.max()),
                    (isAtMost ? "<= " : ">= ") + number(target.reach()),
                    judgement.isMet() ? "yes" : "NO",
                    target.reference().isEmpty() ? tail : (target.note() + " " + tail).strip());
            // The figure once, the other judgements below it.
            subject = "";
            size = "";
            figure = "";
            spread = "";
            tail = "";
        }
    }

    private static void addNone(TextTable table, Cell cell, String reason) {
        table.row(cell.subject(), size(cell), "none", reason, "", "", "", "", "", "");
    }

    private static String shortened(String reason) {
        return reason.length() <= REASON ? reason : reason.substring(0, REASON) + " ...";
    }

    private static String size(Cell cell) {
        return Integer.toString(cell.size());
    }

    private static String figure(Row row, double value) {
        if (row.unit() == Unit.MICROSECONDS) {
            return number(value) + " us";
        }
        if (row.unit() == Unit.PERCENT) {
            return number(value) + " %";
        }
        int size = row.cell().size();
        return size < LONG
                ? number(value / MILLION) + " M/s"
                : number(value * size / BILLION) + " GB/s";
    }

    /// Three digits are more than any of these figures is good for.
    private static String number(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size == 0 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    private static String rounds(Findings findings) {
        int least =
                findings.rows().stream()
                        .filter(row -> row.unit() != Unit.PERCENT)
                        .mapToInt(row -> row.runs().size())
                        .min()
                        .orElse(0);
        int most = findings.rows().stream().mapToInt(row -> row.runs().size()).max().orElse(0);
        return "runs that count: " + least + (most == least ? "" : " to " + most) + " of each";
    }

    private static List<String> footer(Findings findings) {
        Steadiness steadiness = findings.steadiness();
        return List.of(
                String.format(
                        Locale.ROOT,
                        "handoff probes: %.3f to %.3f us half a round; of %d runs %d near, %d far,"
                                + " %d between two that differ by 1.4 and more, %d disturbed by other work",
                        steadiness.fastest(),
                        steadiness.slowest(),
                        steadiness.runs(),
                        steadiness.near(),
                        steadiness.far(),
                        steadiness.drifted(),
                        steadiness.disturbed()),
                "ratio: median of the rounds' ratios, each of two runs of one round; a run's rate is"
                        + " that of its fastest slice");
    }
}
