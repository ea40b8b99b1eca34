package io.rdmanet.bw.run;

import io.rdmanet.ConnectionDescription;
import io.rdmanet.ConnectionSetup;
import io.rdmanet.PollMode;
import io.rdmanet.ProbeReport;
import io.rdmanet.verbs.LinkLayer;
import java.util.List;

/// The lines that a comparison and its worker processes exchange over standard input and output: a
/// word, then fields, separated by tabs.
///
/// ```
/// server worker -> READY  messagePort  rawPort
/// client worker -> READY
/// client worker <- CELL   mode  size  port  probes
/// client worker -> DONE   device  setup  depth  batch  buffers  pollMode
///                         messages  bytes  nanos  allocatedBytes  collectionMillis
///                         workRequests  postNanos  pollNanos
/// either        -> FAILED detail
/// ```
///
/// A worker ends when its standard input ends, and so with its parent, however that died.
public final class WorkerProtocol {
    /// The process can be told what to do.
    public static final String READY = "READY";

    static final String CELL = "CELL";
    static final String DONE = "DONE";

    /// What was asked for failed; the detail follows.
    public static final String FAILED = "FAILED";

    private static final String SEPARATOR = "\t";
    private static final int DONE_FIELDS = 15;

    private WorkerProtocol() {}

    /// A line of fields.
    public static String line(Object... fields) {
        StringBuilder line = new StringBuilder();
        for (Object field : fields) {
            line.append(line.isEmpty() ? "" : SEPARATOR)
                    .append(field.toString().replaceAll("\\s+", " "));
        }
        return line.toString();
    }

    /// The fields of a line.
    public static List<String> fields(String line) {
        return List.of(line.split(SEPARATOR, -1));
    }

    static String done(CellResult result) {
        Setting setting = result.setting();
        RunOutcome outcome = result.repeats().getFirst();
        return line(
                DONE,
                setting.connection().device(),
                setting.connection().setup(),
                setting.depth(),
                setting.batch(),
                setting.buffers(),
                setting.pollMode(),
                outcome.rate().messages(),
                outcome.rate().bytes(),
                outcome.rate().nanos(),
                outcome.allocatedBytes(),
                outcome.collectionMillis(),
                outcome.probe().workRequests(),
                outcome.probe().postNanos(),
                outcome.probe().pollNanos());
    }

    /// The result of one cell.
    ///
    /// @param fields of a DONE line
    /// @throws RunFailedException if it is none
    static CellResult parseDone(List<String> fields, String provider, Mode mode, int size)
            throws RunFailedException {
        if (fields.size() != DONE_FIELDS || !fields.getFirst().equals(DONE)) {
            throw new RunFailedException("not the line of a result: " + fields);
        }
        try {
            return cell(fields, provider, mode, size);
        } catch (IllegalArgumentException unknown) {
            throw new RunFailedException("not the line of a result: " + fields, unknown);
        }
    }

    private static CellResult cell(List<String> fields, String provider, Mode mode, int size) {
        ConnectionDescription connection =
                new ConnectionDescription(
                        provider,
                        "compared",
                        fields.get(1),
                        1,
                        LinkLayer.UNSPECIFIED,
                        ConnectionSetup.valueOf(fields.get(2)),
                        null,
                        -1,
                        null,
                        null,
                        -1,
                        -1,
                        -1,
                        -1,
                        0);
        Setting setting =
                new Setting(
                        connection,
                        mode,
                        size,
                        Integer.parseInt(fields.get(3)),
                        Integer.parseInt(fields.get(4)),
                        Integer.parseInt(fields.get(5)),
                        PollMode.valueOf(fields.get(6)),
                        false);
        RunOutcome outcome =
                new RunOutcome(
                        new Rate(
                                Long.parseLong(fields.get(7)),
                                Long.parseLong(fields.get(8)),
                                Long.parseLong(fields.get(9))),
                        0,
                        Long.parseLong(fields.get(10)),
                        Long.parseLong(fields.get(11)),
                        new ProbeReport(
                                Long.parseLong(fields.get(12)),
                                Long.parseLong(fields.get(13)),
                                Long.parseLong(fields.get(14)),
                                0,
                                0,
                                0),
                        0);
        return new CellResult(setting, List.of(outcome));
    }
}
