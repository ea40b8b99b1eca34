package io.rdmanet.bw.command;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which option means something in which situation: one table, so that none is silently dropped.
///
/// An option that the user gave either applies, or is refused (the command line makes no sense), or
/// is ignored and a line says so (it makes sense on the other end, or it says what is the case
/// anyway).
final class OptionRules {
    /// What the tool is about to be.
    enum Situation {
        SERVER("a server"),
        SERVER_RAW("a raw server"),
        CLIENT_MSG("a client that sends message by message"),
        CLIENT_BATCH("a client with -b"),
        CLIENT_ZERO_COPY("a zero-copy client"),
        CLIENT_RAW("a raw client"),
        PERFTEST_SERVER("a server with --perftest"),
        PERFTEST_CLIENT("a client with --perftest");

        private final String words;

        Situation(String words) {
            this.words = words;
        }

        /// What it is, for messages.
        String words() {
            return words;
        }
    }

    /// What becomes of an option.
    sealed interface Rule {
        /// It is heeded.
        record Applies() implements Rule {}

        /// It has no effect, and a line says so.
        record Ignored(String reason) implements Rule {}

        /// The command line is refused.
        record Refused(String reason) implements Rule {}
    }

    /// What the rules say about a command line.
    ///
    /// @param refusal why it is refused, or an empty string
    /// @param notes which options have no effect
    record Verdict(String refusal, List<String> notes) {}

    private static final Rule YES = new Rule.Applies();
    private static final Rule FOLLOWS = new Rule.Ignored("the server follows the client");
    private static final Rule BUSY = new Rule.Ignored("the raw tier always polls busily");
    private static final Rule ONLY_RAW = new Rule.Refused("it needs --raw");
    private static final Rule RAW_TIER =
            new Rule.Refused("--raw is a tier of its own, without copies anyway");
    private static final Rule SERVERS = new Rule.Refused("only a server can serve in a loop");
    private static final Rule ALWAYS_TCP =
            new Rule.Ignored("the C tools connect by an exchange over TCP anyway");
    private static final Rule NOT_IN_C =
            new Rule.Refused("the other end is a C tool, which knows nothing of it");
    private static final Rule ONLY_A_TABLE =
            new Rule.Refused("--perftest prints the C tools' table and nothing else");
    private static final Rule NO_BATCH =
            new Rule.Refused(
                    "what -b is in ib_send_bw is --bidirectional here, and messages in flight are"
                            + " --depth");
    private static final Rule NO_VERB =
            new Rule.Refused("--perftest takes the verb itself, as in --perftest write");
    private static final Rule ONLY_C = new Rule.Refused("it needs --perftest");

    private static final Map<ToolOption, Map<Situation, Rule>> TABLE =
            new EnumMap<>(ToolOption.class);

    static {
        //                     server       raw server   msg        batch      zero-copy  raw
        //                     perftest server, perftest client
        row(ToolOption.PROVIDER, YES, YES, YES, YES, YES, YES, YES, YES);
        row(ToolOption.DEVICE, YES, YES, YES, YES, YES, YES, YES, YES);
        row(ToolOption.IB_PORT, YES, YES, YES, YES, YES, YES, YES, YES);
        row(ToolOption.GID_INDEX, YES, YES, YES, YES, YES, YES, YES, YES);
        row(ToolOption.HANDSHAKE, YES, YES, YES, YES, YES, YES, ALWAYS_TCP, ALWAYS_TCP);
        row(ToolOption.TCP_PORT, YES, YES, YES, YES, YES, YES, YES, YES);
        row(ToolOption.TIMEOUT, YES, YES, YES, YES, YES, YES, YES, YES);
        row(ToolOption.PROBE, YES, YES, YES, YES, YES, YES, ONLY_A_TABLE, ONLY_A_TABLE);
        row(ToolOption.JSON, YES, YES, YES, YES, YES, YES, ONLY_A_TABLE, ONLY_A_TABLE);
        row(ToolOption.CSV, YES, YES, YES, YES, YES, YES, ONLY_A_TABLE, ONLY_A_TABLE);
        row(ToolOption.VERBOSE, YES, YES, YES, YES, YES, YES, YES, YES);
        // The slots of a server, and the tier it serves.
        row(ToolOption.SIZE, YES, FOLLOWS, YES, YES, YES, YES, YES, YES);
        row(ToolOption.DEPTH, YES, FOLLOWS, YES, YES, YES, YES, YES, YES);
        row(ToolOption.POLL, YES, BUSY, YES, YES, YES, BUSY, BUSY, BUSY);
        row(ToolOption.RAW, YES, YES, YES, YES, YES, YES, YES, YES);
        row(ToolOption.LOOP, YES, YES, SERVERS, SERVERS, SERVERS, SERVERS, YES, SERVERS);
        // What the client decides; a C tool tells nothing, so that both ends must be told.
        row(ToolOption.COUNT, FOLLOWS, FOLLOWS, YES, YES, YES, YES, YES, YES);
        row(ToolOption.DURATION, FOLLOWS, FOLLOWS, YES, YES, YES, YES, YES, YES);
        row(ToolOption.BATCH, FOLLOWS, FOLLOWS, YES, YES, YES, YES, NO_BATCH, NO_BATCH);
        row(ToolOption.ALL, FOLLOWS, FOLLOWS, YES, YES, YES, YES, YES, YES);
        row(ToolOption.WARMUP, FOLLOWS, FOLLOWS, YES, YES, YES, YES, NOT_IN_C, NOT_IN_C);
        row(ToolOption.REPEAT, FOLLOWS, FOLLOWS, YES, YES, YES, YES, NOT_IN_C, NOT_IN_C);
        row(ToolOption.VERIFY, FOLLOWS, FOLLOWS, YES, YES, YES, YES, NOT_IN_C, NOT_IN_C);
        row(ToolOption.ZERO_COPY, FOLLOWS, RAW_TIER, YES, YES, YES, RAW_TIER, RAW_TIER, RAW_TIER);
        row(
                ToolOption.RAW_ONEBUF,
                ONLY_RAW,
                FOLLOWS,
                ONLY_RAW,
                ONLY_RAW,
                ONLY_RAW,
                YES,
                NOT_IN_C,
                NOT_IN_C);
        row(
                ToolOption.RAW_SINGLE,
                ONLY_RAW,
                FOLLOWS,
                ONLY_RAW,
                ONLY_RAW,
                ONLY_RAW,
                YES,
                NOT_IN_C,
                NOT_IN_C);
        row(
                ToolOption.VERB,
                ONLY_RAW,
                FOLLOWS,
                ONLY_RAW,
                ONLY_RAW,
                ONLY_RAW,
                YES,
                NO_VERB,
                NO_VERB);
        row(ToolOption.PERFTEST, YES, YES, YES, YES, YES, YES, YES, YES);
        row(ToolOption.QPS, ONLY_C, ONLY_C, ONLY_C, ONLY_C, ONLY_C, ONLY_C, YES, YES);
        row(ToolOption.BIDIRECTIONAL, ONLY_C, ONLY_C, ONLY_C, ONLY_C, ONLY_C, ONLY_C, YES, YES);
    }

    /// Two options of which a client can heed one only.
    private record Conflict(ToolOption one, ToolOption other, String reason) {}

    private static final List<Conflict> CONFLICTS =
            List.of(
                    new Conflict(
                            ToolOption.COUNT,
                            ToolOption.DURATION,
                            "a run ends by count or by time"),
                    new Conflict(ToolOption.SIZE, ToolOption.ALL, "-a runs through all sizes"),
                    new Conflict(
                            ToolOption.VERIFY,
                            ToolOption.RAW_ONEBUF,
                            "one buffer cannot hold the payloads of all messages in flight"),
                    new Conflict(
                            ToolOption.VERIFY,
                            ToolOption.VERB,
                            "only what is sent passes through the other end's hands"));

    private static final Conflict BY_COUNT_ONLY =
            new Conflict(
                    ToolOption.DURATION, ToolOption.ALL, "the C tools run all sizes by count only");

    private OptionRules() {}

    private static void row(ToolOption option, Rule... rules) {
        Map<Situation, Rule> row = new EnumMap<>(Situation.class);
        Situation[] situations = Situation.values();
        for (int i = 0; i < situations.length; i++) {
            row.put(situations[i], rules[i]);
        }
        TABLE.put(option, row);
    }

    /// What becomes of one option in a situation.
    static Rule rule(ToolOption option, Situation situation) {
        return requireNonNull(requireNonNull(TABLE.get(option), option::longName).get(situation));
    }

    /// What becomes of the options that the user gave.
    static Verdict judge(Set<ToolOption> given, Situation situation) {
        List<String> notes = new ArrayList<>();
        for (ToolOption option : given) {
            switch (rule(option, situation)) {
                case Rule.Applies applies -> {}
                case Rule.Ignored(String reason) ->
                        notes.add(option.longName() + " is ignored: " + reason);
                case Rule.Refused(String reason) -> {
                    return refused(
                            option.longName()
                                    + " makes no sense for "
                                    + situation.words()
                                    + ": "
                                    + reason);
                }
            }
        }
        for (Conflict conflict : conflicts(situation)) {
            if (given.contains(conflict.one) && given.contains(conflict.other)) {
                return refused(
                        conflict.one.longName()
                                + " and "
                                + conflict.other.longName()
                                + " exclude each other: "
                                + conflict.reason);
            }
        }
        if (situation == Situation.CLIENT_RAW
                && given.contains(ToolOption.BATCH)
                && given.contains(ToolOption.DEPTH)) {
            notes.add("--depth is ignored: in the raw tier -b is the transmit depth");
        }
        return new Verdict("", List.copyOf(notes));
    }

    private static List<Conflict> conflicts(Situation situation) {
        return switch (situation) {
            case SERVER, SERVER_RAW -> List.of();
            case PERFTEST_SERVER, PERFTEST_CLIENT -> {
                List<Conflict> conflicts = new ArrayList<>(CONFLICTS);
                conflicts.add(BY_COUNT_ONLY);
                yield conflicts;
            }
            default -> CONFLICTS;
        };
    }

    private static Verdict refused(String reason) {
        return new Verdict(reason, List.of());
    }
}
