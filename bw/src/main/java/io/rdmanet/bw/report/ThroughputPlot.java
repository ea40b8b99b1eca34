package io.rdmanet.bw.report;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.ComparisonResult;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.Setting;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/// A comparison as a picture: throughput over the size of messages, one line per provider and mode,
/// both axes logarithmic.
///
/// Readable without colours: the line's dashes say which provider it is, its marker which mode.
public final class ThroughputPlot {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 560;
    private static final float LINE_WIDTH = 1.6f;
    private static final int MARKER_SIZE = 9;

    /// One for each provider, and again from the start: solid, dashed, dotted, dash and dot.
    private static final List<float[]> DASHES =
            List.of(
                    new float[] {1},
                    new float[] {8, 4},
                    new float[] {2, 3},
                    new float[] {8, 3, 2, 3});

    /// One for each provider, dark enough to print.
    private static final List<Color> COLORS =
            List.of(
                    Color.BLACK,
                    new Color(0x1f, 0x5f, 0xa8),
                    new Color(0xa8, 0x3a, 0x1f),
                    new Color(0x2f, 0x6f, 0x2f));

    private ThroughputPlot() {}

    /// The picture of a comparison that measured something, as an SVG document.
    ///
    /// @throws IOException if this machine has no fonts
    public static String svg(ComparisonResult comparison) throws IOException {
        System.setProperty("java.awt.headless", "true");
        try {
            XYChart chart = chart(comparison);
            VectorGraphics2D graphics = new VectorGraphics2D();
            chart.paint(graphics, WIDTH, HEIGHT);
            ByteArrayOutputStream document = new ByteArrayOutputStream();
            new SVGProcessor()
                    .getDocument(graphics.getCommands(), new PageSize(0, 0, WIDTH, HEIGHT))
                    .writeTo(document);
            return document.toString(StandardCharsets.UTF_8);
        } catch (RuntimeException | LinkageError | InternalError e) {
            throw new IOException(
                    "the plot cannot be drawn: "
                            + e
                            + "; Java needs a font here: apt-get install fontconfig"
                            + " fonts-dejavu-core",
                    e);
        }
    }

    private static XYChart chart(ComparisonResult comparison) {
        XYChart chart =
                new XYChartBuilder()
                        .width(WIDTH)
                        .height(HEIGHT)
                        .title("Throughput, median of the repeats")
                        .xAxisTitle("message size [bytes]")
                        .yAxisTitle("throughput [Gb/s]")
                        .build();
        style(chart.getStyler());
        Map<String, Integer> providers = new LinkedHashMap<>();
        lines(comparison)
                .forEach((name, cells) -> {
                    Setting setting = cells.firstEntry().getValue().setting();
                    int provider =
                            providers.computeIfAbsent(
                                    setting.connection().provider(), _ -> providers.size());
                    add(chart, name, cells, provider, setting.mode());
                });
        return chart;
    }

    private static void style(XYStyler styler) {
        styler.setXAxisLogarithmic(true);
        styler.setYAxisLogarithmic(true);
        styler.setXAxisDecimalPattern("#,###");
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotGridLinesColor(new Color(0xd0, 0xd0, 0xd0));
        styler.setPlotGridLinesStroke(new BasicStroke(0.5f));
        styler.setLegendPosition(LegendPosition.OutsideE);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setMarkerSize(MARKER_SIZE);
        styler.setAntiAlias(true);
    }

    /// Results by the name of their line, and by size.
    private static Map<String, NavigableMap<Integer, CellResult>> lines(
            ComparisonResult comparison) {
        Map<String, NavigableMap<Integer, CellResult>> lines = new LinkedHashMap<>();
        for (CellResult result : comparison.results()) {
            Setting setting = result.setting();
            if (result.gbps().median() > 0) {
                lines.computeIfAbsent(
                                setting.connection().provider() + " " + setting.mode().label(),
                                _ -> new TreeMap<>())
                        .put(setting.size(), result);
            }
        }
        return lines;
    }

    private static void add(
            XYChart chart,
            String name,
            NavigableMap<Integer, CellResult> cells,
            int provider,
            Mode mode) {
        double[] sizes = cells.keySet().stream().mapToDouble(Integer::doubleValue).toArray();
        double[] gbps = cells.values().stream().mapToDouble(cell -> cell.gbps().median()).toArray();
        XYSeries line = chart.addSeries(name, sizes, gbps);
        Color color = COLORS.get(provider % COLORS.size());
        float[] dashes = DASHES.get(provider % DASHES.size());
        line.setLineColor(color);
        line.setMarkerColor(color);
        line.setMarker(marker(mode));
        line.setLineStyle(
                new BasicStroke(
                        LINE_WIDTH,
                        BasicStroke.CAP_BUTT,
                        BasicStroke.JOIN_ROUND,
                        1,
                        dashes.length == 1 ? null : dashes,
                        0));
    }

    private static Marker marker(Mode mode) {
        return switch (mode) {
            case MSG -> SeriesMarkers.CIRCLE;
            case BATCH -> SeriesMarkers.SQUARE;
            case ZERO_COPY -> SeriesMarkers.DIAMOND;
            case RAW -> SeriesMarkers.CROSS;
        };
    }
}
