package io.rdmanet.bw.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.ComparisonResult;
import io.rdmanet.bw.run.ComparisonResult.CopyResult;
import io.rdmanet.bw.run.ComparisonResult.LeftOut;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.Rate;
import io.rdmanet.bw.run.Results;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonReportTest {
    private static final String[] FIELDS = {
        "provider",
        "device",
        "mode",
        "sizeBytes",
        "count",
        "depth",
        "batch",
        "pollMode",
        "setup",
        "seconds",
        "gbps",
        "mibps",
        "mpps",
        "repeats",
        "allocatedBytesPerMessage",
        "gcMillis",
        "jdk",
        "os"
    };

    private final CellResult result =
            Results.cell("loopback", Mode.ZERO_COPY, 1 << 20, 1_000_000, 4_000_000, 2_000_000);

    private static JsonNode parse(String text) {
        return JsonMapper.builder().build().readTree(text);
    }

    @Test
    void hasTheFieldsOfTheSchemaInItsOrder() {
        JsonNode document = parse(JsonReport.of(List.of(result), null));

        assertThat(document.propertyNames()).containsExactly("results");
        assertThat(document.get("results").get(0).propertyNames()).containsExactly(FIELDS);
    }

    @Test
    void givesTheFiguresOfTheMedianRepeat() {
        JsonNode node = parse(JsonReport.of(List.of(result), null)).get("results").get(0);

        assertThat(node.get("provider").asString()).isEqualTo("loopback");
        assertThat(node.get("device").asString()).isEqualTo("loopback0");
        assertThat(node.get("mode").asString()).isEqualTo("zero-copy");
        assertThat(node.get("sizeBytes").asInt()).isEqualTo(1 << 20);
        assertThat(node.get("count").asLong()).isEqualTo(1000);
        assertThat(node.get("depth").asInt()).isEqualTo(128);
        assertThat(node.get("batch").asInt()).isEqualTo(32);
        assertThat(node.get("pollMode").asString()).isEqualTo("adaptive");
        assertThat(node.get("setup").asString()).isEqualTo("rdma_cm");
        assertThat(node.get("seconds").asDouble()).isEqualTo(0.002);
        assertThat(node.get("mibps").asDouble()).isEqualTo(500_000);
        assertThat(node.get("mpps").asDouble()).isEqualTo(0.5);
        assertThat(node.get("repeats").size()).isEqualTo(3);
        assertThat(node.get("repeats").get(1).asDouble()).isEqualTo(0.25);
        assertThat(node.get("allocatedBytesPerMessage").asDouble()).isEqualTo(0.5);
        assertThat(node.get("gcMillis").asLong()).isEqualTo(9);
    }

    @Test
    void isADocumentEvenWithoutResults() {
        assertThat(parse(JsonReport.of(List.of(), null)).get("results").isEmpty()).isTrue();
    }

    @Test
    void hasLimitsAndWhatWasLeftOutInAComparison() {
        ComparisonResult comparison =
                new ComparisonResult(
                        List.of(result),
                        List.of(new CopyResult(1024, 128, List.of(new Rate(1, 1000, 1000)))),
                        List.of(new LeftOut("ffm", "no device")),
                        List.of());

        JsonNode document = parse(JsonReport.of(comparison));

        assertThat(document.propertyNames())
                .containsExactly("results", "limits", "costs", "leftOut");
        JsonNode limit = document.get("limits").get(0);
        assertThat(limit.propertyNames()).containsExactly("sizeBytes", "copyGbps");
        assertThat(limit.get("sizeBytes").asInt()).isEqualTo(1024);
        assertThat(limit.get("copyGbps").asDouble()).isEqualTo(8);
        JsonNode left = document.get("leftOut").get(0);
        assertThat(left.get("provider").asString()).isEqualTo("ffm");
        assertThat(left.get("reason").asString()).isEqualTo("no device");
    }

    @Test
    void hasTheSameFieldsInCsv() {
        List<String> lines = CsvReport.of(List.of(result)).lines().toList();

        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst()).isEqualTo(String.join(",", FIELDS));
        assertThat(lines.getLast())
                .startsWith(
                        "loopback,loopback0,zero-copy,1048576,1000,128,32,adaptive,rdma_cm,0.002,")
                .contains(",1.0 0.25 0.5,0.5,9,");
    }

    @Test
    void quotesFieldsThatHoldCommasOrQuotes() {
        assertThat(CsvReport.quoted("plain")).isEqualTo("plain");
        assertThat(CsvReport.quoted("a,b")).isEqualTo("\"a,b\"");
        assertThat(CsvReport.quoted("a\"b")).isEqualTo("\"a\"\"b\"");
    }
}
