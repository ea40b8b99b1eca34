package io.rdmanet.bw.command;

import static java.util.Objects.requireNonNull;

import io.rdmanet.PollMode;
import io.rdmanet.RawOptions;
import io.rdmanet.RawVerb;
import io.rdmanet.bw.command.OptionRules.Situation;
import io.rdmanet.bw.run.Buffers;
import io.rdmanet.bw.run.ClientPlan;
import io.rdmanet.bw.run.ClientPlan.RawPosting;
import io.rdmanet.bw.run.Mode;
import io.rdmanet.bw.run.ServerPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The main command: a server without an argument, a client with one.
@Command(
        name = "rdmanet-bw",
        description = {
            "Measures how fast messages go from a client to a server, in four tiers: message by"
                    + " message, batched (-b), zero-copy (--zero-copy) and raw verbs (--raw).",
            "Without SERVER it is the server: it follows the client, and ends when the client"
                    + " closes. Raw clients need a raw server (--raw on both ends)."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        mixinStandardHelpOptions = true,
        versionProvider = ToolVersion.class,
        footerHeading =
                "%nUnits: MiB/s are 2^20 bytes, Gb/s 10^9 bits, Mpps 10^6 messages, each"
                        + " per second. Sizes take the suffixes k (2^10) and m (2^20).%n%nExamples:%n",
        footer = {
            "  rdmanet-bw                              a server, in one terminal",
            "  rdmanet-bw 127.0.0.1                    1000 messages of 64 KiB, singly",
            "  rdmanet-bw -b 32 -D 5 -s 1k 127.0.0.1   batches of 32, 1 KiB each, for 5 s",
            "  rdmanet-bw --zero-copy -b 32 --repeat 5 127.0.0.1",
            "  rdmanet-bw --verify -a 127.0.0.1        all sizes, every byte checked",
            "  rdmanet-bw --raw                        a server for a raw client",
            "  rdmanet-bw --raw -b 128 -n 200000 127.0.0.1",
            "  rdmanet-bw --perftest write -n 5000      a server for ib_write_bw -n 5000",
            "  rdmanet-bw --perftest -a 10.0.0.1       a client of ib_send_bw -a",
            "  rdmanet-bw compare --json out.json      all tiers side by side",
            "  rdmanet-bw lat                          latency: a server; lat --help has more",
            "  rdmanet-bw providers                    what this machine can do",
            "",
            "In the raw tier the table is that of ib_send_bw, but BW peak is the best rate",
            "over any part of the run that holds at least a twentieth of its messages.",
            "A client's time ends when its device has sent the last message; a server's",
            "runs from the first message to the last.",
            "",
            "Exit status: 0 fine; 1 a run failed, or payloads arrived wrong; 2 wrong usage;",
            "130 interrupted by Ctrl-C, after printing what was measured."
        })
final class BandwidthCommand implements Callable<Integer> {
    private static final int DEFAULT_RAW_DEPTH = RawOptions.defaults().transmitDepth();
    private static final int SMALLEST_OF_ALL = 2;
    private static final int LARGEST_OF_ALL = 8 << 20;
    private static final int MAX_BATCH = 16384;

    private final Terminal terminal;

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description =
                    "bytes of each message (default: 64k). Server: its slots, instead of"
                            + " following the client's")
    private @Nullable Integer size;

    @Option(
            names = {"-a", "--all"},
            description = "all sizes: 2 bytes to 8m, in powers of two")
    private boolean runsAllSizes;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "MESSAGES",
            defaultValue = "1000",
            description = "messages of a run (default: 1000)")
    private long count = 1000;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            converter = Seconds.class,
            description = "length of a run, instead of -n")
    private @Nullable Duration duration;

    @Option(
            names = {"-b", "--batch"},
            paramLabel = "MESSAGES",
            description =
                    "messages per call (default: 1); with --raw: messages in flight, the"
                            + " transmit depth (default: 128)")
    private @Nullable Integer batch;

    @Option(
            names = "--zero-copy",
            description = "write messages where they are sent from, read them where they arrive")
    private boolean isZeroCopy;

    @Option(names = "--raw", description = "verbs and nothing else; on both ends")
    private boolean isRaw;

    @Option(
            names = "--raw-onebuf",
            description = "raw: all messages in one buffer, which stays in the cache")
    private boolean usesOneBuffer;

    @Option(names = "--raw-single", description = "raw: post one at a time instead of in chains")
    private boolean postsSingly;

    @Option(
            names = "--verb",
            paramLabel = "VERB",
            defaultValue = "send",
            description =
                    "raw: what each message is: send, write or read (default: send). A write or"
                            + " read needs nothing of the server's processor")
    private RawVerb verb = RawVerb.SEND;

    @Option(
            names = "--perftest",
            arity = "1",
            paramLabel = "[VERB]",
            preprocessor = OptionalVerb.class,
            description =
                    "the other end is ib_send_bw, ib_write_bw or ib_read_bw: send (default), write"
                            + " or read. Give both ends the same options: the C tools tell each"
                            + " other none")
    private @Nullable RawVerb perftestVerb;

    @Option(
            names = {"-q", "--qps"},
            paramLabel = "QUEUE_PAIRS",
            defaultValue = "1",
            description = "perftest: queue pairs to run on (default: 1)")
    private int queuePairs = 1;

    @Option(names = "--bidirectional", description = "perftest: both ends send; -b of ib_send_bw")
    private boolean isBidirectional;

    @Option(
            names = "--depth",
            paramLabel = "FRAMES",
            description = "queue depth and credit window (default: 128)")
    private @Nullable Integer depth;

    @Option(
            names = "--poll",
            paramLabel = "MODE",
            defaultValue = "adaptive",
            description =
                    "how to wait: busy, event, or adaptive: spin a little, then sleep"
                            + " (default: adaptive; raw is always busy)")
    private PollMode pollMode = PollMode.ADAPTIVE;

    @Mixin private EndArguments end = new EndArguments();

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            defaultValue = "0.5",
            converter = Seconds.class,
            description =
                    "run so long before measuring, 0 for not at all (default: 0.5; with -a a"
                            + " fifth of it from the second size on)")
    private Duration warmUp = Duration.ofMillis(500);

    @Option(
            names = "--repeat",
            paramLabel = "TIMES",
            defaultValue = "1",
            description = "measure so often, and print median, min and max (default: 1)")
    private int repeats = 1;

    @Option(
            names = "--verify",
            description =
                    "write payloads and check every byte; slower. Wrong ones make both ends"
                            + " fail")
    private boolean verifies;

    @Option(
            names = "--probe",
            description =
                    "show where time went: post, poll and waits for each work request; memory, garbage"
                            + " collection, safepoints, and which processors threads ran on")
    private boolean probes;

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

    BandwidthCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        end.prepare(terminal);
        requireRanges();
        Documents documents = Documents.of(jsonFile, csvFile, this::usage);
        OptionRules.Verdict verdict = OptionRules.judge(given(), situation());
        if (!verdict.refusal().isEmpty()) {
            throw usage(verdict.refusal());
        }
        if (perftestVerb != null) {
            verdict.notes().forEach(note -> terminal.out().println("note: " + note));
            return new PerftestArguments(
                            requireNonNull(spec).commandLine(),
                            perftestVerb,
                            size,
                            runsAllSizes,
                            given().contains(ToolOption.COUNT) ? count : 0,
                            duration,
                            queuePairs,
                            depth,
                            isBidirectional,
                            end.loops())
                    .run(end.endpoint(), end.address(), !end.isServer(), terminal);
        }
        Measurement measurement =
                new Measurement(terminal, documents, verdict.notes(), probes, verifies);
        return end.isServer() ? measurement.serve(serverPlan()) : measurement.connect(clientPlan());
    }

    private Situation situation() {
        if (perftestVerb != null) {
            return end.isServer() ? Situation.PERFTEST_SERVER : Situation.PERFTEST_CLIENT;
        }
        if (end.isServer()) {
            return isRaw ? Situation.SERVER_RAW : Situation.SERVER;
        }
        return switch (mode()) {
            case MSG -> Situation.CLIENT_MSG;
            case BATCH -> Situation.CLIENT_BATCH;
            case ZERO_COPY -> Situation.CLIENT_ZERO_COPY;
            case RAW -> Situation.CLIENT_RAW;
        };
    }

    private Mode mode() {
        if (isRaw) {
            return Mode.RAW;
        }
        if (isZeroCopy) {
            return Mode.ZERO_COPY;
        }
        return batch == null || batch == 1 ? Mode.MSG : Mode.BATCH;
    }

    private Set<ToolOption> given() {
        Set<ToolOption> given = EnumSet.noneOf(ToolOption.class);
        for (ToolOption option : ToolOption.values()) {
            if (end.isGiven(option.longName())) {
                given.add(option);
            }
        }
        if (pollMode == PollMode.BUSY && isRaw) {
            // That is what raw does.
            given.remove(ToolOption.POLL);
        }
        return given;
    }

    private void requireRanges() {
        end.requireRange("--count", count, 1, Long.MAX_VALUE / Buffers.MAX_MESSAGE_BYTES);
        end.requireRange("--batch", batch == null ? 1 : batch, 1, MAX_BATCH);
        end.requireRange("--depth", depth == null ? 1 : depth, 1, RawOptions.MAX_TRANSMIT_DEPTH);
        end.requireRange("--repeat", repeats, 1, 1000);
        end.requirePort();
        if (end.isServer()
                && !isRaw
                && perftestVerb == null
                && size != null
                && size > Buffers.MAX_ZERO_COPY_BYTES) {
            throw usage(
                    "--size: a server's slots have up to "
                            + (Buffers.MAX_ZERO_COPY_BYTES >> 20)
                            + "m");
        }
        if (duration != null && duration.isZero()) {
            throw usage("--duration must be more than 0");
        }
    }

    private ParameterException usage(String message) {
        return end.usage(message);
    }

    private ServerPlan serverPlan() throws IOException {
        return new ServerPlan(
                end.address(),
                end.endpoint(),
                isRaw,
                size == null ? 0 : Buffers.slotBytes(Mode.ZERO_COPY, size),
                depth == null ? 0 : depth,
                pollMode,
                end.loops(),
                probes);
    }

    private ClientPlan clientPlan() throws IOException {
        Mode mode = mode();
        return new ClientPlan(
                end.address(),
                end.endpoint(),
                mode,
                sizes(mode),
                duration == null ? count : 0,
                duration == null ? 0 : duration.toNanos(),
                batch == null ? 1 : batch,
                depth(mode),
                pollMode,
                postsSingly ? RawPosting.SINGLE : RawPosting.CHAINED,
                verb,
                usesOneBuffer,
                warmUp.toNanos(),
                repeats,
                verifies,
                probes,
                System.nanoTime());
    }

    private int depth(Mode mode) {
        if (mode == Mode.RAW && batch != null) {
            return batch;
        }
        return depth == null ? DEFAULT_RAW_DEPTH : depth;
    }

    private List<Integer> sizes(Mode mode) {
        if (!runsAllSizes) {
            int wanted = size == null ? 64 << 10 : size;
            if (mode == Mode.ZERO_COPY && wanted > Buffers.MAX_ZERO_COPY_BYTES) {
                throw usage(
                        "--zero-copy takes messages of up to "
                                + (Buffers.MAX_ZERO_COPY_BYTES >> 20)
                                + "m, since each lies in one slot");
            }
            return List.of(wanted);
        }
        List<Integer> sizes = new ArrayList<>();
        for (int bytes = SMALLEST_OF_ALL; bytes <= LARGEST_OF_ALL; bytes *= 2) {
            sizes.add(bytes);
        }
        return sizes;
    }
}
