package io.rdmanet.bw.report;

import io.rdmanet.bw.report.TextTable.Align;
import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.ComparisonResult;
import io.rdmanet.bw.run.ComparisonResult.CellCost;
import io.rdmanet.bw.run.ComparisonResult.CopyResult;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.Setting;
import io.rdmanet.bw.run.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// A comparison as one table.
///
/// The first rows are the copy limit of each size. `/raw` is the ratio to the raw tier of the same
/// provider and size, and `/copy` to the copy limit of that size. Two providers are compared in
/// `FIRST/SECOND`, more in `/FIRST`, always at the same mode and size. Ratios are of medians. `post
/// ns` and `poll ns` are the processor's time per work request, as the probes of the sending end
/// have it; polls that find nothing are waits and do not count.
public final class ComparisonReport {
    private static final String NONE = "-";

    /// Of a row, but for the one that compares providers.
    private static final int COLUMNS = 11;

    /// The last ones of these.
    private static final int COST_COLUMNS = 2;

    private final ComparisonResult comparison;
    private final String reference;
    private final String other;
    private final boolean hasSeveralProviders;
    private final boolean hasTwoProviders;

    private ComparisonReport(ComparisonResult comparison) {
        this.comparison = comparison;
        List<String> providers =
                comparison.results().stream()
                        .map(result -> result.setting().connection().provider())
                        .distinct()
                        .toList();
        reference = providers.isEmpty() ? "" : providers.getFirst();
        other = providers.size() > 1 ? providers.get(1) : "";
        hasSeveralProviders = providers.size() > 1;
        hasTwoProviders = providers.size() == 2;
    }

    /// The lines of the table, and of what was left out.
    public static List<String> lines(ComparisonResult comparison) {
        return new ComparisonReport(comparison).lines();
    }

    private List<String> lines() {
        String[] blank = Collections.nCopies(COLUMNS, "").toArray(String[]::new);
        Align[] alignment = new Align[columns("", blank).length];
        Arrays.fill(alignment, Align.RIGHT);
        alignment[0] = Align.LEFT;
        alignment[1] = Align.LEFT;
        TextTable table = new TextTable(alignment);
        table.row(
                columns(
                        hasTwoProviders ? reference + "/" + other : "/" + reference,
                        "provider",
                        "mode",
                        "bytes",
                        "Gb/s",
                        "min",
                        "max",
                        "Mpps",
                        "/raw",
                        "/copy",
                        "post ns",
                        "poll ns"));
        for (CopyResult limit : comparison.limits()) {
            Statistics gbps = limit.gbps();
            table.row(
                    columns(
                            NONE,
                            NONE,
                            "copy limit",
                            Figures.size(limit.size()),
                            Figures.figure(gbps.median()),
                            Figures.figure(gbps.min()),
                            Figures.figure(gbps.max()),
                            Figures.figure(limit.mpps()),
                            NONE,
                            ratio(1),
                            NONE,
                            NONE));
        }
        for (CellResult result : comparison.results()) {
            row(table, result);
        }
        List<String> lines = new ArrayList<>(table.lines());
        for (ComparisonResult.LeftOut left : comparison.leftOut()) {
            lines.add("left out: " + left.provider() + ": " + left.reason());
        }
        return lines;
    }

    /// The cells of a row without those that this comparison has nothing for.
    ///
    /// @param providers the cell that compares providers
    /// @param others all others
    private String[] columns(String providers, String... others) {
        List<String> cells = new ArrayList<>(List.of(others));
        if (comparison.costs().isEmpty()) {
            cells.subList(COLUMNS - COST_COLUMNS, COLUMNS).clear();
        }
        if (hasSeveralProviders) {
            cells.add(providers);
        }
        return cells.toArray(String[]::new);
    }

    private void row(TextTable table, CellResult result) {
        Setting setting = result.setting();
        String provider = setting.connection().provider();
        Statistics gbps = result.gbps();
        Optional<CellCost> cost = cost(setting);
        table.row(
                columns(
                        compared(setting, gbps),
                        provider,
                        label(setting),
                        Figures.size(setting.size()),
                        Figures.figure(gbps.median()),
                        Figures.figure(gbps.min()),
                        Figures.figure(gbps.max()),
                        Figures.figure(result.median().rate().mpps()),
                        ratio(gbps, find(provider, Mode.RAW, setting.size())),
                        ratio(gbps, limit(setting.size())),
                        cost.map(each -> Figures.figure(each.postNanos())).orElse(NONE),
                        cost.map(each -> Figures.figure(each.pollNanos())).orElse(NONE)));
    }

    /// Of two providers, the first one's figure over the second one's, on both their rows; of more,
    /// this row's figure over the first provider's.
    private String compared(Setting setting, Statistics gbps) {
        Optional<Statistics> first = find(reference, setting.mode(), setting.size());
        if (!hasTwoProviders) {
            return ratio(gbps, first);
        }
        Optional<Statistics> second = find(other, setting.mode(), setting.size());
        return first.map(figure -> ratio(figure, second)).orElse(NONE);
    }

    private Optional<CellCost> cost(Setting setting) {
        return comparison.costs().stream()
                .filter(cost ->
                        cost.provider().equals(setting.connection().provider())
                                && cost.mode() == setting.mode()
                                && cost.size() == setting.size())
                .findFirst();
    }

    private static String label(Setting setting) {
        return switch (setting.mode()) {
            case MSG, RAW -> setting.mode().label();
            case BATCH, ZERO_COPY -> setting.mode().label() + " " + setting.batch();
        };
    }

    private Optional<Statistics> find(String provider, Mode mode, int size) {
        return comparison.results().stream()
                .filter(each ->
                        each.setting().connection().provider().equals(provider)
                                && each.setting().mode() == mode
                                && each.setting().size() == size)
                .map(CellResult::gbps)
                .findFirst();
    }

    private Optional<Statistics> limit(int size) {
        return comparison.limits().stream()
                .filter(limit -> limit.size() == size)
                .map(CopyResult::gbps)
                .findFirst();
    }

    private static String ratio(Statistics figure, Optional<Statistics> base) {
        return base.map(each -> ratio(figure.median() / each.median())).orElse(NONE);
    }

    private static String ratio(double value) {
        return Figures.decimals(value, 2);
    }
}
