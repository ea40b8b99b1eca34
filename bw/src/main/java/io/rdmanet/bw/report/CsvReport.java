package io.rdmanet.bw.report;

import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.Rate;
import io.rdmanet.bw.run.Setting;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Results as CSV (RFC 4180): the fields of [JsonReport] in its order, with a first line of names.
/// The repeats are one field, separated by spaces.
public final class CsvReport {
    private static final String NAMES =
            "provider,device,mode,sizeBytes,count,depth,batch,pollMode,setup,seconds,gbps,mibps,"
                    + "mpps,repeats,allocatedBytesPerMessage,gcMillis,jdk,os";

    private CsvReport() {}

    /// The lines, each ended.
    public static String of(List<CellResult> results) {
        StringBuilder text = new StringBuilder(NAMES).append('\n');
        for (CellResult result : results) {
            text.append(line(result)).append('\n');
        }
        return text.toString();
    }

    private static String line(CellResult result) {
        Setting setting = result.setting();
        Rate rate = result.median().rate();
        String repeats =
                result.repeats().stream()
                        .map(repeat -> Double.toString(repeat.rate().mpps()))
                        .collect(Collectors.joining(" "));
        return List.<Object>of(
                        setting.connection().provider(),
                        setting.connection().device(),
                        setting.label(),
                        setting.size(),
                        rate.messages(),
                        setting.depth(),
                        setting.batch(),
                        setting.pollMode().name().toLowerCase(Locale.ROOT),
                        JsonReport.name(setting.connection().setup()),
                        rate.seconds(),
                        rate.gbps(),
                        rate.mibps(),
                        rate.mpps(),
                        repeats,
                        result.median().allocatedBytesPerMessage(),
                        JsonReport.collectionMillis(result),
                        Machine.jdk(),
                        Machine.os())
                .stream()
                .map(field -> quoted(field.toString()))
                .collect(Collectors.joining(","));
    }

    static String quoted(String field) {
        boolean needsQuotes = field.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n');
        return needsQuotes ? '"' + field.replace("\"", "\"\"") + '"' : field;
    }
}
