package io.rdmanet.bench.command;

import static java.util.Objects.requireNonNull;

import io.rdmanet.bench.report.FindingsJson;
import io.rdmanet.bench.report.FindingsTable;
import io.rdmanet.bench.run.Cell;
import io.rdmanet.bench.run.Findings;
import io.rdmanet.bench.run.Harness;
import io.rdmanet.bench.run.Harness.Plan;
import io.rdmanet.bench.run.Programme;
import io.rdmanet.bench.run.Subject;
import io.rdmanet.bench.run.Target;
import io.rdmanet.bw.report.Output;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Measures all tiers on loopback beside their references and prints one table.
@Command(
        name = "bench/run",
        description = {
            "Runs every tier of ours on loopback, and what they are set beside (one thread's copy, a"
                    + " bare handoff of a cache line, Aeron IPC), each as two processes that poll, in"
                    + " turn, several times over. Prints one table: medians, spread, ratios, and"
                    + " whether they reach what is wanted.",
            "Each run is preceded by one whose payloads are all checked. Where one is wrong there is"
                    + " no figure."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  bench/run",
            "  bench/run --only '^(raw|copy)' --repeats 9",
            "  bench/run --check --json bench.json",
            "  bench/run --jmh              microbenchmarks; bench/run --jmh PATTERN some of them",
            "",
            "Trust ratios, not figures: they come from runs that followed each other.",
            "Exit status: 0 fine; 1 a gate or run failed, or with --check a floor was missed or not measured;",
            "2 wrong usage."
        })
public final class Main implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MOST_SECONDS = 5;
    private static final int MOST_REPEATS = 100;
    private static final int MOST_SLICES = 1000;
    private static final int MOST_LIMIT_SECONDS = 86_400;
    private static final int FINE = 0;
    private static final int FAILED = 1;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final List<String> arguments;
    private final PrintStream out;
    private final PrintStream err;

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--repeats",
            paramLabel = "TIMES",
            defaultValue = "5",
            description = "measure each so often (default: 5), after a round that does not count")
    private int repeats = 5;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            defaultValue = "0.3",
            description = "measure each so long, up to 5 (default: 0.3)")
    private double seconds = 0.3;

    @Option(
            names = "--slices",
            paramLabel = "COUNT",
            defaultValue = "10",
            description =
                    "cut each run into so many, of which the fastest counts (default: 10): what else"
                            + " runs on the machine only takes away. 1 for the plain mean")
    private int slices = 10;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description =
                    "begin no run after so long, and print what there is (default: 600). A busy"
                            + " machine needs it: runs that were disturbed are repeated")
    private int limitSeconds = 600;

    @Option(
            names = "--only",
            paramLabel = "PATTERN",
            description =
                    "only tiers and references whose name and size, as in 'raw -b 128, 64 bytes',"
                            + " have a match of this regular expression")
    private @Nullable String only;

    @Option(names = "--json", paramLabel = "FILE", description = "write all that was measured")
    private @Nullable String jsonFile;

    @Option(
            names = "--check",
            description =
                    "fail where a ratio is below its floor, a third of what is wanted (allocation:"
                            + " 1 byte per message), or was not measured")
    private boolean checks;

    Main(List<String> arguments, PrintStream out, PrintStream err) {
        this.arguments = arguments;
        this.out = out;
        this.err = err;
    }

    /// Runs the program and ends the process.
    @SuppressWarnings("SystemOut") // it is a program
    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new Main(List.of(arguments), System.out, System.err))
                        .execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        Predicate<Cell> wanted = wanted();
        Plan plan = new Plan(repeats, nanos(), Duration.ofSeconds(limitSeconds), wanted);
        Path folder = Files.createTempDirectory(home(), "rdmanet-bench");
        Thread sweep = Thread.ofPlatform().unstarted(() -> delete(folder));
        Runtime.getRuntime().addShutdownHook(sweep);
        List<Subject> subjects = Programme.subjects(folder, slices);
        Findings findings;
        try {
            findings =
                    new Harness(subjects, Programme.probe(subjects), plan, this::progress)
                            .measure();
        } finally {
            subjects.forEach(Subject::close);
        }
        List<Target> targets = Programme.targets();
        FindingsTable.lines(findings, targets).forEach(out::println);
        if (jsonFile != null) {
            String document =
                    FindingsJson.of(findings, targets, arguments, Instant.now().toString());
            Output.write(jsonFile, document, out);
        }
        return status(findings, targets, wanted);
    }

    /// @param isWanted which cells were to be measured
    int status(Findings findings, List<Target> targets, Predicate<Cell> isWanted) {
        int status = findings.refusals().isEmpty() && !findings.rows().isEmpty() ? FINE : FAILED;
        if (!checks) {
            return status;
        }
        List<Target> below =
                targets.stream()
                        .filter(target ->
                                target.judge(findings)
                                        .map(judgement -> !judgement.isAboveFloor())
                                        .orElse(false))
                        .toList();
        below.forEach(target ->
                err.println("bench/run: below the floor of " + target.floor() + ": " + target));
        List<Target> unjudged =
                targets.stream()
                        .filter(target ->
                                target.isSelected(isWanted) && target.judge(findings).isEmpty())
                        .toList();
        unjudged.forEach(target -> err.println("bench/run: not measured: " + target));
        return below.isEmpty() && unjudged.isEmpty() ? status : FAILED;
    }

    private void progress(String words) {
        err.println("bench/run: " + words);
        err.flush();
    }

    private long nanos() {
        if (repeats < 1 || repeats > MOST_REPEATS) {
            throw usage("--repeats must be 1 to " + MOST_REPEATS + ", is " + repeats);
        }
        if (slices < 1 || slices > MOST_SLICES) {
            throw usage("--slices must be 1 to " + MOST_SLICES + ", is " + slices);
        }
        // Not "<= 0": NaN is neither.
        if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
            throw usage("--seconds must be more than 0 and up to " + MOST_SECONDS);
        }
        if (limitSeconds < 1 || limitSeconds > MOST_LIMIT_SECONDS) {
            throw usage(
                    "--limit must be 1 to " + MOST_LIMIT_SECONDS + " seconds, is " + limitSeconds);
        }
        try {
            if (jsonFile != null) {
                Output.check(jsonFile);
            }
        } catch (IOException e) {
            throw usage("--json: " + e.getMessage());
        }
        return (long) (seconds * NANOS_PER_SECOND);
    }

    private Predicate<Cell> wanted() {
        if (only == null) {
            return cell -> true;
        }
        try {
            Pattern pattern = Pattern.compile(only);
            return cell -> pattern.matcher(cell.toString()).find();
        } catch (PatternSyntaxException e) {
            throw usage("--only: " + e.getMessage());
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(requireNonNull(spec).commandLine(), message);
    }

    /// Memory, where the system has such a folder: writing a file back to a disk disturbs.
    private static Path home() {
        return Files.isWritable(SHARED_MEMORY)
                ? SHARED_MEMORY
                : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /// A process that is killed cannot remove what it made.
    private static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // Another process of ours was quicker.
        }
    }
}
