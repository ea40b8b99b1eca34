package io.rdmanet.bw.report;

import io.rdmanet.ProbeReport;
import io.rdmanet.bw.probe.PauseReport;
import io.rdmanet.bw.probe.ProcessReport;
import io.rdmanet.bw.probe.ThreadPlacement;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What `--probe` adds to JSON: an object in each result, and one of the process.
///
/// ```
/// "probe": {                       in a result: of its median repeat
///   "workRequests": 1000,          the times are per work request
///   "postNanos": 82.1,             "pollNanos": 13.0,
///   "creditWaitNanos": 0.0,        "completionWaitNanos": 901.5,
///   "receiveWaitNanos": 0.0 }
/// "process": {                     in the document: from the first run to the last
///   "gcPauses": 1,                 "gcPauseMillis": 2.1,  "longestGcPauseMillis": 2.1,
///   "safepoints": 4,               "safepointMillis": 2.9,
///   "timeToSafepointMillis": 0.1,  "longestTimeToSafepointMillis": 0.07,
///   "threads": [ {                 null where the system does not tell
///     "name": "main",  "processorMillis": 120,
///     "processors": [ { "processor": 0, "samples": 3 } ] } ] }
/// ```
final class ProbeDocument {
    private static final double NANOS_PER_MILLI = 1e6;

    private ProbeDocument() {}

    /// Adds what was measured of a run; nothing if nothing was.
    static void put(ObjectNode result, ProbeReport probe) {
        if (probe.workRequests() > 0) {
            result.putObject("probe")
                    .put("workRequests", probe.workRequests())
                    .put("postNanos", probe.perWorkRequest(probe.postNanos()))
                    .put("pollNanos", probe.perWorkRequest(probe.pollNanos()))
                    .put("creditWaitNanos", probe.perWorkRequest(probe.creditWaitNanos()))
                    .put("completionWaitNanos", probe.perWorkRequest(probe.completionWaitNanos()))
                    .put("receiveWaitNanos", probe.perWorkRequest(probe.receiveWaitNanos()));
        }
    }

    /// Adds what was seen of the process.
    static void put(ObjectNode document, ProcessReport report) {
        PauseReport pauses = report.pauses();
        ObjectNode process =
                document.putObject("process")
                        .put("gcPauses", pauses.collectionPauses())
                        .put("gcPauseMillis", millis(pauses.collectionNanos()))
                        .put("longestGcPauseMillis", millis(pauses.longestCollectionNanos()))
                        .put("safepoints", pauses.safepoints())
                        .put("safepointMillis", millis(pauses.safepointNanos()))
                        .put("timeToSafepointMillis", millis(pauses.timeToSafepointNanos()))
                        .put(
                                "longestTimeToSafepointMillis",
                                millis(pauses.longestTimeToSafepointNanos()));
        List<ThreadPlacement> threads = report.threads();
        if (threads == null) {
            process.putNull("threads");
            return;
        }
        ArrayNode array = process.putArray("threads");
        for (ThreadPlacement thread : threads) {
            ArrayNode processors =
                    array.addObject()
                            .put("name", thread.name())
                            .put("processorMillis", thread.processorMillis())
                            .putArray("processors");
            for (ThreadPlacement.Share share : thread.shares()) {
                processors
                        .addObject()
                        .put("processor", share.processor())
                        .put("samples", share.samples());
            }
        }
    }

    private static double millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }
}
