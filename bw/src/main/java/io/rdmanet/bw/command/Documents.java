package io.rdmanet.bw.command;

import io.rdmanet.bw.probe.ProcessReport;
import io.rdmanet.bw.report.CsvReport;
import io.rdmanet.bw.report.JsonReport;
import io.rdmanet.bw.report.Output;
import io.rdmanet.bw.run.CellResult;
import io.rdmanet.bw.run.ComparisonResult;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/// The files that results go to, and whether one of them is standard output.
///
/// @param jsonFile where JSON goes, or null
/// @param csvFile where CSV goes, or null
record Documents(@Nullable String jsonFile, @Nullable String csvFile) {
    /// @param usage makes the exception for a file that cannot be
    static Documents of(
            @Nullable String jsonFile,
            @Nullable String csvFile,
            Function<String, ParameterException> usage) {
        Documents documents = new Documents(jsonFile, csvFile);
        if (isStandard(jsonFile) && isStandard(csvFile)) {
            throw usage.apply("--json and --csv cannot both go to standard output");
        }
        try {
            if (jsonFile != null) {
                Output.check(jsonFile);
            }
            if (csvFile != null) {
                Output.check(csvFile);
            }
        } catch (IOException e) {
            throw usage.apply(String.valueOf(e.getMessage()));
        }
        return documents;
    }

    private static boolean isStandard(@Nullable String file) {
        return Output.STANDARD_OUTPUT.equals(file);
    }

    /// Where text for people goes: not between the lines of a document.
    PrintStream text(Terminal terminal) {
        return isStandard(jsonFile) || isStandard(csvFile) ? terminal.err() : terminal.out();
    }

    /// Writes what was asked for.
    ///
    /// @param process what the probe saw, or null
    void write(List<CellResult> results, @Nullable ProcessReport process, PrintStream out)
            throws IOException {
        if (jsonFile != null) {
            Output.write(jsonFile, JsonReport.of(results, process), out);
        }
        if (csvFile != null) {
            Output.write(csvFile, CsvReport.of(results), out);
        }
    }

    /// Writes what was asked for.
    void write(ComparisonResult comparison, PrintStream out) throws IOException {
        if (jsonFile != null) {
            Output.write(jsonFile, JsonReport.of(comparison), out);
        }
        if (csvFile != null) {
            Output.write(csvFile, CsvReport.of(comparison.results()), out);
        }
    }
}
