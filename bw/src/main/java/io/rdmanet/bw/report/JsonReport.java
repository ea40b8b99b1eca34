package io.rdmanet.bw.report;

import io.rdmanet.ConnectionSetup;
import io.rdmanet.bw.probe.ProcessReport;
import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.ComparisonResult;
import io.rdmanet.bw.run.Rate;
import io.rdmanet.bw.run.RunOutcome;
import io.rdmanet.bw.run.Setting;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Results as one JSON document.
///
/// ```
/// { "results": [ {
///     "provider": "loopback",      "device": "loopback0",
///     "mode": "batch",             msg | batch | zero-copy | raw | raw-write | raw-read
///     "sizeBytes": 65536,          payload of each message
///     "count": 1000,               messages of the median run
///     "depth": 128,                credit window; raw: transmit depth
///     "batch": 32,                 messages per call; raw: longest chain posted at once
///     "pollMode": "adaptive",      busy | event | adaptive
///     "setup": "rdma_cm",          rdma_cm | tcp
///     "seconds": 0.01,             these four: the repeat of median message rate
///     "gbps": 52.4,                10^9 bits per second
///     "mibps": 6250.0,             2^20 bytes per second
///     "mpps": 0.1,                 10^6 messages per second
///     "repeats": [ 0.1, 0.09 ],    mpps of each repeat, in the order they ran
///     "allocatedBytesPerMessage": 0.0,   by the measuring thread, median repeat
///     "gcMillis": 0,               garbage collection, all repeats
///     "jdk": "25.0.3+9 Eclipse Adoptium",  "os": "Linux 6.1 amd64, 8 processors"
///   } ] }
/// ```
///
/// `--probe` adds what [ProbeDocument] shows. A comparison adds `"limits": [ { "sizeBytes",
/// "copyGbps" } ]` (the median), `"costs": [ { "provider", "mode", "sizeBytes", "postNanos",
/// "pollNanos" } ]` (per work request) and `"leftOut": [ { "provider", "reason" } ]`. A server's
/// document has the figures of its own end.
public final class JsonReport {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private JsonReport() {}

    /// The document of a measurement.
    ///
    /// @param process what the probe saw of it, or null
    public static String of(List<CellResult> results, @Nullable ProcessReport process) {
        ObjectNode document = document(results);
        if (process != null) {
            ProbeDocument.put(document, process);
        }
        return text(document);
    }

    /// The document of a comparison.
    public static String of(ComparisonResult comparison) {
        ObjectNode document = document(comparison.results());
        ArrayNode limits = document.putArray("limits");
        for (ComparisonResult.CopyResult limit : comparison.limits()) {
            limits.addObject()
                    .put("sizeBytes", limit.size())
                    .put("copyGbps", limit.gbps().median());
        }
        ArrayNode costs = document.putArray("costs");
        for (ComparisonResult.CellCost cost : comparison.costs()) {
            costs.addObject()
                    .put("provider", cost.provider())
                    .put("mode", cost.mode().label())
                    .put("sizeBytes", cost.size())
                    .put("postNanos", cost.postNanos())
                    .put("pollNanos", cost.pollNanos());
        }
        ArrayNode leftOut = document.putArray("leftOut");
        for (ComparisonResult.LeftOut left : comparison.leftOut()) {
            leftOut.addObject().put("provider", left.provider()).put("reason", left.reason());
        }
        return text(document);
    }

    private static ObjectNode document(List<CellResult> results) {
        ObjectNode document = MAPPER.createObjectNode();
        ArrayNode array = document.putArray("results");
        for (CellResult result : results) {
            put(array.addObject(), result);
        }
        return document;
    }

    private static void put(ObjectNode node, CellResult result) {
        Setting setting = result.setting();
        RunOutcome median = result.median();
        Rate rate = median.rate();
        node.put("provider", setting.connection().provider())
                .put("device", setting.connection().device())
                .put("mode", setting.label())
                .put("sizeBytes", setting.size())
                .put("count", rate.messages())
                .put("depth", setting.depth())
                .put("batch", setting.batch())
                .put("pollMode", setting.pollMode().name().toLowerCase(Locale.ROOT))
                .put("setup", name(setting.connection().setup()))
                .put("seconds", rate.seconds())
                .put("gbps", rate.gbps())
                .put("mibps", rate.mibps())
                .put("mpps", rate.mpps());
        ArrayNode repeats = node.putArray("repeats");
        result.repeats().forEach(repeat -> repeats.add(repeat.rate().mpps()));
        node.put("allocatedBytesPerMessage", median.allocatedBytesPerMessage())
                .put("gcMillis", collectionMillis(result))
                .put("jdk", Machine.jdk())
                .put("os", Machine.os());
        ProbeDocument.put(node, median.probe());
    }

    static long collectionMillis(CellResult result) {
        return result.repeats().stream().mapToLong(RunOutcome::collectionMillis).sum();
    }

    static String name(ConnectionSetup setup) {
        return switch (setup) {
            case RDMA_CM -> "rdma_cm";
            case TCP -> "tcp";
        };
    }

    static String text(ObjectNode document) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    static ObjectNode emptyDocument() {
        return MAPPER.createObjectNode();
    }
}
