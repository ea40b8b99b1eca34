package io.rdmanet.bw.report;

import io.rdmanet.bw.report.TextTable.Align;
import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.ComparisonResult;
import io.rdmanet.bw.run.ComparisonResult.CopyResult;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.Setting;
import io.rdmanet.bw.run.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A comparison as one table.
///
/// The first rows are the copy limit of each size. `/raw` is the ratio to the raw tier of the same
/// provider and size, `/copy` to the copy limit of that size, and `/PROVIDER` to the first
/// provider's figure for the same mode and size, if there are several. Ratios are of medians.
public final class ComparisonReport {
    private static final String NONE = "-";

    private final ComparisonResult comparison;
    private final String reference;
    private final boolean hasSeveralProviders;

    private ComparisonReport(ComparisonResult comparison) {
        this.comparison = comparison;
        List<String> providers =
                comparison.results().stream()
                        .map(result -> result.setting().connection().provider())
                        .distinct()
                        .toList();
        reference = providers.isEmpty() ? "" : providers.getFirst();
        hasSeveralProviders = providers.size() > 1;
    }

    /// The lines of the table, and of what was left out.
    public static List<String> lines(ComparisonResult comparison) {
        return new ComparisonReport(comparison).lines();
    }

    private List<String> lines() {
        TextTable table =
                new TextTable(
                        Align.LEFT,
                        Align.LEFT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT);
        table.row(
                "provider",
                "mode",
                "bytes",
                "Gb/s",
                "min",
                "max",
                "Mpps",
                "/raw",
                "/copy",
                hasSeveralProviders ? "/" + reference : "");
        for (CopyResult limit : comparison.limits()) {
            Statistics gbps = limit.gbps();
            table.row(
                    NONE,
                    "copy limit",
                    Figures.size(limit.size()),
                    Figures.figure(gbps.median()),
                    Figures.figure(gbps.min()),
                    Figures.figure(gbps.max()),
                    Figures.figure(limit.mpps()),
                    NONE,
                    ratio(1),
                    hasSeveralProviders ? NONE : "");
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

    private void row(TextTable table, CellResult result) {
        Setting setting = result.setting();
        String provider = setting.connection().provider();
        Statistics gbps = result.gbps();
        table.row(
                provider,
                label(setting),
                Figures.size(setting.size()),
                Figures.figure(gbps.median()),
                Figures.figure(gbps.min()),
                Figures.figure(gbps.max()),
                Figures.figure(result.median().rate().mpps()),
                ratio(gbps, find(provider, Mode.RAW, setting.size())),
                ratio(gbps, limit(setting.size())),
                hasSeveralProviders
                        ? ratio(gbps, find(reference, setting.mode(), setting.size()))
                        : "");
    }

    private static String label(Setting setting) {
        return switch (setting.mode()) {
            case MSG, RAW -> setting.mode().label();
            case BATCH, ZERO_COPY -> setting.mode().label() + " " + setting.batch();
        };
    }

    private Optional<Statistics> find(String provider, Mode mode, int size) {
        return comparison.results().stream()
                .filter(other ->
                        other.setting().connection().provider().equals(provider)
                                && other.setting().mode() == mode
                                && other.setting().size() == size)
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
        return base.map(other -> ratio(figure.median() / other.median())).orElse(NONE);
    }

    private static String ratio(double value) {
        return Figures.decimals(value, 2);
    }
}
