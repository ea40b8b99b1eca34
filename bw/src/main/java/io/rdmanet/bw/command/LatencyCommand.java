package io.rdmanet.bw.command;

import static java.util.Objects.requireNonNull;

import io.rdmanet.PollMode;
import io.rdmanet.RawVerb;
import io.rdmanet.bw.latency.LatencyClient;
import io.rdmanet.bw.latency.LatencyPlan;
import io.rdmanet.bw.latency.LatencyResult;
import io.rdmanet.bw.latency.LatencyServer;
import io.rdmanet.bw.perftest.Perftest;
import io.rdmanet.bw.perftest.PerftestPlan;
import io.rdmanet.bw.report.LatencyTable;
import io.rdmanet.bw.report.Output;
import io.rdmanet.bw.report.PerftestReport;
import io.rdmanet.bw.run.Buffers;
import io.rdmanet.bw.run.Mode;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `lat`: how long one message takes, there and back.
@Command(
        name = "lat",
        description = {
            "Measures latency: a message goes to the server and back, again and again. All figures"
                    + " are half of that, in microseconds, as those of ib_send_lat are.",
            "Both ends must be lat, and of one kind: --raw on both or on neither. The server follows"
                    + " the client in all else but --poll.",
            "With --perftest the other end is ib_send_lat: give both the same -s, -n and -a."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        mixinStandardHelpOptions = true,
        versionProvider = ToolVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  rdmanet-bw lat                           a server, in one terminal",
            "  rdmanet-bw lat -s 64 -n 100000 127.0.0.1",
            "  rdmanet-bw lat --poll event --histogram lat.hgrm 127.0.0.1",
            "  rdmanet-bw lat --raw                     a server for raw clients",
            "  rdmanet-bw lat --perftest 10.0.0.1       a client of ib_send_lat"
        })
final class LatencyCommand implements Callable<Integer> {
    private static final int DEFAULT_SIZE = 64;
    private static final int DEFAULT_PERFTEST_SIZE = 2;
    private static final int DEFAULT_ROUNDS = 10_000;
    private static final int DEFAULT_PERFTEST_ROUNDS = 1000;
    private static final int DEFAULT_SERVER_SLOT = 64 << 10;
    private static final int MAX_BATCH = 128;

    /// The time of each is kept, as the C tools do.
    private static final int MAX_PERFTEST_ROUNDS = 10_000_000;

    private final Terminal terminal;

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description = "bytes of each message (default: 64; perftest: 2)")
    private @Nullable Integer size;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "ROUNDS",
            description = "how often (default: 10000; perftest: 1000)")
    private @Nullable Integer rounds;

    @Option(
            names = {"-a", "--all"},
            description = "perftest: all sizes, 2 bytes to 8m")
    private boolean runsAllSizes;

    @Option(
            names = {"-b", "--batch"},
            paramLabel = "MESSAGES",
            description = "batches of so many go to and fro (default: 1)")
    private @Nullable Integer batch;

    @Option(names = "--zero-copy", description = "messages without copies")
    private boolean isZeroCopy;

    @Option(
            names = "--raw",
            description =
                    "verbs and nothing else: each end writes into the other's memory, as"
                            + " ib_write_lat does; on both ends")
    private boolean isRaw;

    @Option(names = "--perftest", description = "the other end is ib_send_lat")
    private boolean isPerftest;

    @Option(
            names = "--poll",
            paramLabel = "MODE",
            description =
                    "how this end waits: busy (default), event, or adaptive: spin a little, then"
                            + " sleep; raw and perftest are always busy")
    private @Nullable PollMode pollMode;

    @Mixin private EndArguments end = new EndArguments();

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            defaultValue = "0.5",
            converter = Seconds.class,
            description = "go so long before measuring (default: 0.5)")
    private Duration warmUp = Duration.ofMillis(500);

    @Option(
            names = "--verify",
            description = "write payloads and check every byte, on both ends; slower")
    private boolean verifies;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "write the result as JSON; - for standard output")
    private @Nullable String jsonFile;

    @Option(
            names = "--histogram",
            paramLabel = "FILE",
            description = "write all percentiles as HdrHistogram's table; - for standard output")
    private @Nullable String histogramFile;

    LatencyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        Subcommands.requireNothingBefore(requireNonNull(spec));
        end.prepare(terminal);
        requireSense();
        if (isPerftest) {
            if (end.isGiven("--handshake")) {
                note("--handshake", "the C tools connect by an exchange over TCP anyway");
            }
            new Perftest(perftestPlan(), new PerftestReport(terminal.out(), terminal::failure))
                    .run();
            return ExitStatus.FINE;
        }
        LatencyTable table = new LatencyTable(text(), terminal::failure);
        return end.isServer() ? serve(table) : measure(table);
    }

    private void requireSense() {
        end.requirePort();
        end.requireRange("--size", size == null ? 1 : size, 1, Buffers.MAX_ZERO_COPY_BYTES);
        end.requireRange("--batch", batch == null ? 1 : batch, 1, MAX_BATCH);
        end.requireRange(
                "--count",
                rounds == null ? DEFAULT_ROUNDS : rounds,
                isPerftest ? PerftestPlan.MIN_ITERATIONS : 1,
                isPerftest ? MAX_PERFTEST_ROUNDS : Integer.MAX_VALUE);
        requireOne(isRaw, "--raw", isZeroCopy, "--zero-copy");
        requireOne(isRaw, "--raw", batch != null, "--batch");
        requireOne(isZeroCopy, "--zero-copy", batch != null, "--batch");
        requireOne(isPerftest, "--perftest", verifies, "--verify");
        requireOne(isPerftest, "--perftest", isZeroCopy, "--zero-copy");
        requireOne(isPerftest, "--perftest", batch != null, "--batch");
        requireOne(isPerftest, "--perftest", isRaw, "--raw");
        requireOne(isPerftest, "--perftest", end.isGiven("--warmup"), "--warmup");
        requireOne(isPerftest, "--perftest", jsonFile != null, "--json");
        requireOne(isPerftest, "--perftest", histogramFile != null, "--histogram");
        requireOne(runsAllSizes, "--all", size != null, "--size");
        requireBatchFits(size == null ? DEFAULT_SIZE : size, batch == null ? 1 : batch);
        if (runsAllSizes && !isPerftest) {
            throw usage("--all needs --perftest");
        }
        if (end.loops() && !end.isServer()) {
            throw usage("--loop makes no sense for a client: only a server can serve in a loop");
        }
        if ((isRaw || isPerftest) && pollMode != null && pollMode != PollMode.BUSY) {
            throw usage("--poll: raw and perftest always poll busily");
        }
        if (end.isServer() && (jsonFile != null || histogramFile != null)) {
            throw usage("--json and --histogram are the client's: a server measures nothing");
        }
        if (Output.STANDARD_OUTPUT.equals(jsonFile)
                && Output.STANDARD_OUTPUT.equals(histogramFile)) {
            throw usage("--json and --histogram cannot both go to standard output");
        }
        checkFile(jsonFile);
        checkFile(histogramFile);
    }

    private void requireOne(boolean hasOne, String one, boolean hasOther, String other) {
        if (hasOne && hasOther) {
            throw usage(one + " and " + other + " exclude each other");
        }
    }

    private void requireBatchFits(int bytes, int messages) {
        if (Buffers.count(messages, bytes) < messages) {
            throw usage(
                    "--batch "
                            + messages
                            + " of --size "
                            + bytes
                            + " is more than "
                            + (Buffers.MAX_BUFFER_BYTES_IN_ALL >> 20)
                            + " MiB");
        }
    }

    private void checkFile(@Nullable String file) {
        try {
            if (file != null) {
                Output.check(file);
            }
        } catch (IOException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException usage(String message) {
        return end.usage(message);
    }

    /// Where text for people goes: not between the lines of a document.
    private PrintStream text() {
        boolean isTaken =
                Output.STANDARD_OUTPUT.equals(jsonFile)
                        || Output.STANDARD_OUTPUT.equals(histogramFile);
        return isTaken ? terminal.err() : terminal.out();
    }

    private PollMode pollMode() {
        return pollMode == null ? PollMode.BUSY : pollMode;
    }

    private int serve(LatencyTable table) throws IOException {
        List<String> ignored = new ArrayList<>();
        if (rounds != null) {
            ignored.add("--count");
        }
        if (verifies) {
            ignored.add("--verify");
        }
        if (isZeroCopy) {
            ignored.add("--zero-copy");
        }
        if (batch != null) {
            ignored.add("--batch");
        }
        if (end.isGiven("--warmup")) {
            ignored.add("--warmup");
        }
        if (isRaw && size != null) {
            ignored.add("--size");
        }
        ignored.forEach(option -> note(option, "the server follows the client"));
        int slotBytes =
                Buffers.slotBytes(Mode.ZERO_COPY, size == null ? DEFAULT_SERVER_SLOT : size);
        long bad =
                new LatencyServer(
                                end.address(),
                                end.endpoint(),
                                isRaw,
                                slotBytes,
                                pollMode(),
                                end.loops(),
                                table)
                        .serve();
        return status(bad);
    }

    private void note(String option, String reason) {
        terminal.out().println("note: " + option + " is ignored: " + reason);
    }

    private int measure(LatencyTable table) throws IOException {
        LatencyPlan plan =
                new LatencyPlan(
                        end.address(),
                        end.endpoint(),
                        mode(),
                        size == null ? DEFAULT_SIZE : size,
                        batch == null ? 1 : batch,
                        rounds == null ? DEFAULT_ROUNDS : rounds,
                        warmUp.toNanos(),
                        pollMode(),
                        verifies);
        LatencyResult result = new LatencyClient(plan, table).measure();
        table.print(result);
        if (jsonFile != null) {
            Output.write(jsonFile, LatencyTable.json(result), terminal.out());
        }
        if (histogramFile != null) {
            Output.write(histogramFile, LatencyTable.histogram(result), terminal.out());
        }
        if (verifies && result.badMessages() == 0) {
            text().println("verify: every byte was right");
        }
        return status(result.badMessages());
    }

    private Mode mode() {
        if (isRaw) {
            return Mode.RAW;
        }
        if (isZeroCopy) {
            return Mode.ZERO_COPY;
        }
        return batch == null ? Mode.MSG : Mode.BATCH;
    }

    private int status(long bad) {
        if (bad == 0) {
            return ExitStatus.FINE;
        }
        terminal.error(bad + " messages arrived with wrong content");
        return ExitStatus.FAILED;
    }

    private PerftestPlan perftestPlan() throws IOException {
        int wanted = size == null ? DEFAULT_PERFTEST_SIZE : size;
        return new PerftestPlan(
                end.address(),
                !end.isServer(),
                end.endpoint(),
                RawVerb.SEND,
                true,
                runsAllSizes ? PerftestArguments.allSizes() : List.of(wanted),
                runsAllSizes,
                rounds == null ? DEFAULT_PERFTEST_ROUNDS : rounds,
                Duration.ZERO,
                1,
                1,
                false,
                end.loops());
    }
}
