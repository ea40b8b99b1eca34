package io.rdmanet.bw.command;

import static java.util.Objects.requireNonNull;

import io.rdmanet.PollMode;
import io.rdmanet.bw.report.ComparisonReport;
import io.rdmanet.bw.report.Output;
import io.rdmanet.bw.report.ThroughputPlot;
import io.rdmanet.bw.run.Buffers;
import io.rdmanet.bw.run.Comparison;
import io.rdmanet.bw.run.ComparisonPlan;
import io.rdmanet.bw.run.ComparisonResult;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.RunMonitor;
import io.rdmanet.verbs.ProviderSelection;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `compare`: every tier on every provider, side by side.
@Command(
        name = "compare",
        description = {
            "Runs a server and a client as two processes for each provider, measures every mode"
                    + " and size in turn, several times over, and prints one table: medians with"
                    + " min and max, and their ratios; --plot draws it.",
            "The copy limit is what one thread reaches with MemorySegment.copy over as many"
                    + " buffers as the raw tier has: the speed of one copy per byte."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        mixinStandardHelpOptions = true,
        versionProvider = ToolVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  rdmanet-bw compare --json out.json",
            "  rdmanet-bw compare --modes batch,raw --sizes 4k,1m -D 1",
            "  rdmanet-bw compare --providers ffm,disni --plot out.svg",
            "",
            "Columns: /raw is the ratio to the raw tier of the same provider and size,",
            "/copy to the copy limit of that size, ffm/disni of one provider to the other.",
            "post ns and poll ns: time per work request, by probes in a round of its own.",
            "Raw keeps 128 messages in flight.",
            "Exit status: 0 fine; 1 a provider failed, or none is usable; 2 wrong usage."
        })
final class CompareCommand implements Callable<Integer> {
    private static final String CLEAR = "\r\033[K";

    private final Terminal terminal;

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--providers",
            paramLabel = "NAME",
            split = ",",
            description = "providers, separated by commas (default: all usable ones)")
    private List<String> providers = List.of();

    @Option(
            names = "--modes",
            paramLabel = "MODE",
            split = ",",
            defaultValue = "msg,batch,zero-copy,raw",
            description = "modes, separated by commas (default: msg,batch,zero-copy,raw)")
    private List<String> modes = List.of();

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            split = ",",
            converter = ByteSize.class,
            defaultValue = "64,1k,64k",
            description = "bytes of a message, separated by commas (default: 64,1k,64k)")
    private List<Integer> sizes = List.of();

    @Option(
            names = {"-b", "--batch"},
            paramLabel = "MESSAGES",
            defaultValue = "32",
            description = "messages per call in the modes batch and zero-copy (default: 32)")
    private int batch = 32;

    @Option(
            names = "--repeat",
            paramLabel = "TIMES",
            defaultValue = "5",
            description = "measure each so often (default: 5)")
    private int repeats = 5;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            defaultValue = "0.3",
            converter = Seconds.class,
            description = "measure each so long (default: 0.3)")
    private Duration duration = Duration.ofMillis(300);

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            defaultValue = "0.1",
            converter = Seconds.class,
            description =
                    "run each so long before (default: 0.1); besides, a whole first round"
                            + " does not count")
    private Duration warmUp = Duration.ofMillis(100);

    @Option(
            names = "--poll",
            paramLabel = "MODE",
            defaultValue = "adaptive",
            description =
                    "how to wait: busy, event or adaptive (default: adaptive; raw is always"
                            + " busy)")
    private PollMode pollMode = PollMode.ADAPTIVE;

    @Option(
            names = "--handshake",
            description = "connect by an exchange over TCP instead of rdma_cm")
    private boolean usesTcpHandshake;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            defaultValue = "",
            description =
                    "address of this machine to connect through (default: the first IPv4"
                            + " address among the device's GIDs, or 127.0.0.1)")
    private String address = "";

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            converter = Seconds.class,
            description =
                    "give a provider up when it takes so long to do what should be done"
                            + " (default: 30)")
    private Duration timeout = Duration.ofSeconds(30);

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "write results as JSON; - for standard output (text then goes to"
                            + " standard error)")
    private @Nullable String jsonFile;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "write results as CSV; - for standard output")
    private @Nullable String csvFile;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "draw throughput over size into FILE, as SVG")
    private @Nullable String plotFile;

    @Option(names = "--verbose", description = "show stack traces of failures")
    private boolean isVerbose;

    CompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        Subcommands.requireNothingBefore(requireNonNull(spec));
        if (isVerbose) {
            terminal.verbose();
        }
        requireRanges();
        Documents documents = Documents.of(jsonFile, csvFile, this::usage);
        checkPlotFile();
        PrintStream text = documents.text(terminal);
        RunMonitor monitor = new RunMonitor();
        try (Comparison comparison =
                        new Comparison(
                                plan(), Main.class, CompareWorkerCommand::arguments, progress());
                Interruption _ =
                        Interruption.install(
                                monitor, false, () -> interrupted(comparison, documents))) {
            ComparisonResult result = measure(comparison);
            print(result, text);
            write(result, documents);
            return status(result);
        }
    }

    private void interrupted(Comparison comparison, Documents documents) {
        ComparisonResult partial = comparison.soFar();
        PrintStream text = documents.text(terminal);
        print(partial, text);
        text.println("interrupted; the figures are of what was measured until then");
        text.flush();
        try {
            write(partial, documents);
        } catch (IOException e) {
            terminal.failure(e);
        }
        comparison.end();
    }

    private void checkPlotFile() {
        if (plotFile == null) {
            return;
        }
        if (plotFile.equals(Output.STANDARD_OUTPUT)) {
            throw usage("--plot needs a file");
        }
        try {
            Output.check(plotFile);
        } catch (IOException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private void write(ComparisonResult result, Documents documents) throws IOException {
        documents.write(result, terminal.out());
        if (plotFile != null && !result.results().isEmpty()) {
            Output.write(plotFile, ThroughputPlot.svg(result), terminal.out());
        }
    }

    private ComparisonResult measure(Comparison comparison) {
        try {
            return comparison.measure(ProviderSelection.installed());
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private void print(ComparisonResult result, PrintStream text) {
        if (Terminal.isInteractive()) {
            terminal.err().print(CLEAR);
            terminal.err().flush();
        }
        ComparisonReport.lines(result).forEach(text::println);
        text.flush();
    }

    private int status(ComparisonResult result) {
        result.failures().forEach(terminal::error);
        if (result.results().isEmpty() && result.failures().isEmpty()) {
            terminal.error("no provider is usable; see rdmanet-bw providers");
        }
        return result.failures().isEmpty() && !result.results().isEmpty()
                ? ExitStatus.FINE
                : ExitStatus.FAILED;
    }

    private Consumer<String> progress() {
        return Terminal.isInteractive()
                ? words -> {
                    terminal.err().print(CLEAR + words + "\r");
                    terminal.err().flush();
                }
                : words -> {};
    }

    private ComparisonPlan plan() {
        List<Mode> chosen;
        try {
            chosen = modes.stream().map(Mode::ofLabel).distinct().toList();
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        return new ComparisonPlan(
                providers,
                chosen,
                sizes.stream().distinct().toList(),
                batch,
                repeats,
                duration.toNanos(),
                warmUp.toNanos(),
                pollMode,
                usesTcpHandshake,
                address,
                timeout);
    }

    private void requireRanges() {
        if (batch < 1 || batch > 16384) {
            throw usage("--batch must be 1 to 16384, is " + batch);
        }
        if (repeats < 1 || repeats > 1000) {
            throw usage("--repeat must be 1 to 1000, is " + repeats);
        }
        if (duration.isZero() || timeout.isZero()) {
            throw usage("--duration and --timeout must be more than 0");
        }
        for (int size : sizes) {
            if (size > Buffers.MAX_ZERO_COPY_BYTES) {
                throw usage("--sizes must be up to " + Buffers.MAX_ZERO_COPY_BYTES);
            }
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(requireNonNull(spec).commandLine(), message);
    }
}
