package io.rdmanet.bench.report;

import io.rdmanet.bench.run.Findings;
import io.rdmanet.bench.run.Findings.Row;
import io.rdmanet.bench.run.Findings.Steadiness;
import io.rdmanet.bench.run.Harness;
import io.rdmanet.bench.run.Target;
import io.rdmanet.bench.run.Target.Judgement;
import io.rdmanet.bw.report.Machine;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Findings as one JSON document.
///
/// ```
/// { "jdk", "os", "date", "command",
///   "steadiness": { "fastestMicros", "slowestMicros", "near", "far", "drifted",
///                   "disturbed", "runs" },
///   "results": [ { "tier", "sizeBytes", "unit", "median", "min", "max",
///                  "runs": [ { "round", "figure", "beforeMicros", "afterMicros",
///                              "disturbed", ... } ] } ],
///   "targets": [ { "tier", "sizeBytes", "metric", "reference", "bound",
///                  "reach", "floor", "value", "min", "max", "met", "aboveFloor" } ],
///   "refused": [ { "tier", "sizeBytes", "reason" } ],
///   "unreached": [ { "tier", "sizeBytes" } ] }
/// ```
///
/// Figures are messages per second, microseconds, or percent of a processor, as `unit` says; a
/// run's before and after are the handoff probes around it.
public final class FindingsJson {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private FindingsJson() {}

    /// The document.
    ///
    /// @param command what was asked for
    /// @param date when, as ISO 8601
    public static String of(
            Findings findings, List<Target> targets, List<String> command, String date) {
        ObjectNode document = MAPPER.createObjectNode();
        document.put("jdk", Machine.jdk())
                .put("os", Machine.os())
                .put("date", date)
                .put("command", "bench/run " + String.join(" ", command));
        Steadiness steadiness = findings.steadiness();
        document.putObject("steadiness")
                .put("fastestMicros", steadiness.fastest())
                .put("slowestMicros", steadiness.slowest())
                .put("near", steadiness.near())
                .put("far", steadiness.far())
                .put("drifted", steadiness.drifted())
                .put("disturbed", steadiness.disturbed())
                .put("runs", steadiness.runs());
        ArrayNode results = document.putArray("results");
        findings.rows().forEach(row -> put(results.addObject(), row));
        ArrayNode judged = document.putArray("targets");
        targets.forEach(target ->
                target.judge(findings).ifPresent(judgement -> put(judged.addObject(), judgement)));
        ArrayNode refused = document.putArray("refused");
        findings.refusals()
                .forEach((cell, reason) ->
                        refused.addObject()
                                .put("tier", cell.subject())
                                .put("sizeBytes", cell.size())
                                .put("reason", reason));
        ArrayNode unreached = document.putArray("unreached");
        findings.unreached()
                .forEach(cell ->
                        unreached
                                .addObject()
                                .put("tier", cell.subject())
                                .put("sizeBytes", cell.size()));
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    private static void put(ObjectNode node, Row row) {
        node.put("tier", row.cell().subject())
                .put("sizeBytes", row.cell().size())
                .put("unit", row.unit().name().toLowerCase(Locale.ROOT))
                .put("median", row.figures().median())
                .put("min", row.figures().min())
                .put("max", row.figures().max());
        ArrayNode runs = node.putArray("runs");
        row.runs().forEach((round, run) -> put(runs.addObject(), round, run));
    }

    private static void put(ObjectNode node, int round, Harness.Run run) {
        node.put("round", round)
                .put("figure", run.sample().figure())
                .put("beforeMicros", run.before().halfRoundMicros())
                .put("afterMicros", run.after().halfRoundMicros())
                .put("disturbed", run.isDisturbed());
        run.sample().extras().forEach(node::put);
    }

    private static void put(ObjectNode node, Judgement judgement) {
        Target target = judgement.target();
        node.put("tier", target.cell().subject())
                .put("sizeBytes", target.cell().size())
                .put("metric", target.metric())
                .put("reference", target.reference())
                .put("bound", target.bound().name().toLowerCase(Locale.ROOT))
                .put("reach", target.reach())
                .put("floor", target.floor())
                .put("value", judgement.value().median())
                .put("min", judgement.value().min())
                .put("max", judgement.value().max())
                .put("met", judgement.isMet())
                .put("aboveFloor", judgement.isAboveFloor());
    }
}
