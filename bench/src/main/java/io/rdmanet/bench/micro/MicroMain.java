package io.rdmanet.bench.micro;

import io.rdmanet.bw.report.TextTable;
import io.rdmanet.bw.report.TextTable.Align;
import io.rdmanet.bw.run.Statistics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// The program behind `bench/run --jmh`: runs all microbenchmarks with one fork each, then all of
/// them again, and so on, so that a machine that slows down for a while slows down all of them. The
/// ratios are of one round's runs.
public final class MicroMain {
    private static final int ROUNDS = 3;
    private static final int WARM_UPS = 3;
    private static final int MEASUREMENTS = 5;
    private static final TimeValue ITERATION = TimeValue.milliseconds(300);

    private static final String FFM = "PostPollBenchmark.ffm";
    private static final String C = "PostPollBenchmark.c";
    private static final String BARE = "PostPollBenchmark.bare";
    private static final String DISNI = "DisniBenchmark.disni";

    private static final double NONE = 0;

    /// What is wanted: one benchmark's time, at most so many times another's.
    ///
    /// @param reach how many, or [#NONE] if the ratio is only told
    private record Ratio(String benchmark, String reference, double reach) {}

    private static final List<Ratio> RATIOS =
            List.of(
                    new Ratio(FFM + "Chain", C + "Chain", 1.3),
                    new Ratio(FFM + "ChainFilled", C + "ChainFilled", 1.3),
                    new Ratio(FFM + "Single", C + "Single", 3),
                    new Ratio(BARE + "Chain", C + "Chain", NONE),
                    new Ratio(BARE + "Single", C + "Single", NONE),
                    new Ratio(FFM + "Chain", DISNI + "Chain", 0.8),
                    new Ratio(FFM + "Single", DISNI + "Single", 0.8));

    private MicroMain() {}

    /// Runs the benchmarks and ends the process.
    ///
    /// @param arguments patterns and options of JMH
    @SuppressWarnings("SystemOut") // it is a program
    public static void main(String[] arguments) throws CommandLineOptionException {
        System.exit(run(arguments, System.out, System.err));
    }

    private static int run(String[] arguments, PrintStream out, PrintStream err)
            throws CommandLineOptionException {
        CommandLineOptions given = new CommandLineOptions(arguments);
        if (given.shouldHelp()) {
            try {
                given.showHelp();
            } catch (IOException e) {
                err.println("bench/run: " + e.getMessage());
            }
            return 0;
        }
        Map<String, double[]> times = new LinkedHashMap<>();
        List<String> failures = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            err.println("bench/run: round " + (round + 1) + " of " + ROUNDS);
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            try {
                OutputFormat output =
                        OutputFormatFactory.createFormatInstance(
                                new PrintStream(said, true, StandardCharsets.UTF_8),
                                VerboseMode.NORMAL);
                Collection<RunResult> results = new Runner(options(given), output).run();
                note(times, round, results);
                if (results.size() < wanted(given, output)) {
                    failures.add("a benchmark failed: " + said.toString(StandardCharsets.UTF_8));
                }
            } catch (RunnerException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        lines(times).forEach(out::println);
        failures.forEach(failure -> err.println("bench/run: " + failure));
        return failures.isEmpty() && !times.isEmpty() ? 0 : 1;
    }

    /// JMH leaves out of its results what failed, its gate included, and goes on.
    private static int wanted(CommandLineOptions given, OutputFormat output) {
        return BenchmarkList.defaultList()
                .find(output, given.getIncludes(), given.getExcludes())
                .size();
    }

    private static Options options(CommandLineOptions given) {
        OptionsBuilder builder = new OptionsBuilder();
        builder.parent(given);
        if (!given.getWarmupIterations().hasValue()) {
            builder.warmupIterations(WARM_UPS);
        }
        if (!given.getWarmupTime().hasValue()) {
            builder.warmupTime(ITERATION);
        }
        if (!given.getMeasurementIterations().hasValue()) {
            builder.measurementIterations(MEASUREMENTS);
        }
        if (!given.getMeasurementTime().hasValue()) {
            builder.measurementTime(ITERATION);
        }
        if (!given.getForkCount().hasValue()) {
            builder.forks(1);
        }
        return builder.build();
    }

    /// The fastest iteration stands for a round: whatever else runs on the machine only adds.
    private static void note(
            Map<String, double[]> times, int round, Collection<RunResult> results) {
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            String shortName = name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
            double fastest =
                    result.getBenchmarkResults().stream()
                            .flatMap(fork -> fork.getIterationResults().stream())
                            .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
                            .min()
                            .orElse(Double.NaN);
            double[] rounds = times.computeIfAbsent(shortName, key -> nothing());
            rounds[round] = fastest;
        }
    }

    private static double[] nothing() {
        double[] rounds = new double[ROUNDS];
        Arrays.fill(rounds, Double.NaN);
        return rounds;
    }

    private static List<String> lines(Map<String, double[]> times) {
        List<String> lines = new ArrayList<>();
        TextTable figures = new TextTable(Align.LEFT, Align.RIGHT, Align.LEFT);
        figures.row("benchmark", "ns/op", "min - max");
        times.forEach((name, rounds) -> {
            double[] measured = present(rounds);
            if (measured.length > 0) {
                Statistics statistics = Statistics.of(measured);
                figures.row(
                        name,
                        number(statistics.median()),
                        number(statistics.min()) + " - " + number(statistics.max()));
            }
        });
        lines.addAll(figures.lines());
        lines.add("");
        TextTable ratios =
                new TextTable(Align.LEFT, Align.RIGHT, Align.LEFT, Align.RIGHT, Align.LEFT);
        ratios.row("ratio", "median", "min - max", "reach", "met");
        for (Ratio ratio : RATIOS) {
            addRatio(ratios, ratio, times);
        }
        lines.addAll(ratios.lines());
        lines.add("ns/op: per work request; of each round the fastest iteration");
        return lines;
    }

    private static void addRatio(TextTable table, Ratio ratio, Map<String, double[]> times) {
        double[] own = times.getOrDefault(ratio.benchmark(), nothing());
        double[] other = times.getOrDefault(ratio.reference(), nothing());
        double[] quotients = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            quotients[i] = own[i] / other[i];
        }
        double[] measured = present(quotients);
        String name = ratio.benchmark() + " / " + ratio.reference();
        if (measured.length == 0) {
            table.row(name, "-", "not measured", reach(ratio), "");
            return;
        }
        Statistics statistics = Statistics.of(measured);
        table.row(
                name,
                number(statistics.median()),
                number(statistics.min()) + " - " + number(statistics.max()),
                reach(ratio),
                verdict(ratio, statistics.median()));
    }

    private static String reach(Ratio ratio) {
        return ratio.reach() == NONE ? "" : "<= " + number(ratio.reach());
    }

    private static String verdict(Ratio ratio, double median) {
        if (ratio.reach() == NONE) {
            return "";
        }
        return median <= ratio.reach() ? "yes" : "NO";
    }

    private static double[] present(double[] values) {
        return Arrays.stream(values).filter(value -> !Double.isNaN(value)).toArray();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
