package io.rdmanet.bw.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.bw.run.ComparisonResult;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.Results;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ThroughputPlotTest {
    private static final ComparisonResult COMPARISON =
            new ComparisonResult(
                    List.of(
                            Results.cell("ffm", Mode.RAW, 64, 1_000_000),
                            Results.cell("disni", Mode.RAW, 64, 2_000_000),
                            Results.cell("ffm", Mode.RAW, 65536, 9_000_000),
                            Results.cell("disni", Mode.RAW, 65536, 9_500_000),
                            Results.cell("ffm", Mode.BATCH, 64, 4_000_000),
                            Results.cell("disni", Mode.BATCH, 64, 5_000_000)),
                    List.of(),
                    List.of(),
                    List.of());

    @Test
    void drawsOneSvgDocument() throws Exception {
        Document document = parse(ThroughputPlot.svg(COMPARISON));

        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(document.getDocumentElement().getAttribute("viewBox")).isEqualTo("0 0 900 560");
        assertThat(document.getElementsByTagName("path").getLength()).isGreaterThan(10);
    }

    @Test
    void tellsProvidersApartWithoutColours() throws Exception {
        assertThat(ThroughputPlot.svg(COMPARISON)).contains("stroke-dasharray");
    }

    private static Document parse(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }
}
