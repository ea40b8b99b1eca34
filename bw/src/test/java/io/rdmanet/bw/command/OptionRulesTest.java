package io.rdmanet.bw.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.bw.command.OptionRules.Rule;
import io.rdmanet.bw.command.OptionRules.Situation;
import io.rdmanet.bw.command.OptionRules.Verdict;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class OptionRulesTest {
    /// A: applies, I: ignored and said so, R: refused; in the order of the situations: server, raw
    /// server, msg, batch, zero-copy, raw, perftest server, perftest client.
    private static final Map<String, String> EXPECTED =
            Map.ofEntries(
                    Map.entry("--provider", "AAAAAAAA"),
                    Map.entry("--device", "AAAAAAAA"),
                    Map.entry("--ib-port", "AAAAAAAA"),
                    Map.entry("--gid-index", "AAAAAAAA"),
                    Map.entry("--size", "AIAAAAAA"),
                    Map.entry("--count", "IIAAAAAA"),
                    Map.entry("--duration", "IIAAAAAA"),
                    Map.entry("--batch", "IIAAAARR"),
                    Map.entry("--raw", "AAAAAAAA"),
                    Map.entry("--raw-onebuf", "RIRRRARR"),
                    Map.entry("--raw-single", "RIRRRARR"),
                    Map.entry("--zero-copy", "IRAAARRR"),
                    Map.entry("--verb", "RIRRRARR"),
                    Map.entry("--perftest", "AAAAAAAA"),
                    Map.entry("--qps", "RRRRRRAA"),
                    Map.entry("--bidirectional", "RRRRRRAA"),
                    Map.entry("--depth", "AIAAAAAA"),
                    Map.entry("--poll", "AIAAAIII"),
                    Map.entry("--handshake", "AAAAAAII"),
                    Map.entry("--tcp-port", "AAAAAAAA"),
                    Map.entry("--loop", "AARRRRAR"),
                    Map.entry("--all", "IIAAAAAA"),
                    Map.entry("--warmup", "IIAAAARR"),
                    Map.entry("--repeat", "IIAAAARR"),
                    Map.entry("--verify", "IIAAAARR"),
                    Map.entry("--probe", "AAAAAARR"),
                    Map.entry("--timeout", "AAAAAAAA"),
                    Map.entry("--json", "AAAAAARR"),
                    Map.entry("--csv", "AAAAAARR"),
                    Map.entry("--verbose", "AAAAAAAA"));

    static List<Arguments> everyOptionInEverySituation() {
        List<Arguments> cells = new ArrayList<>();
        for (ToolOption option : ToolOption.values()) {
            for (Situation situation : Situation.values()) {
                cells.add(Arguments.of(option, situation));
            }
        }
        return cells;
    }

    @ParameterizedTest
    @MethodSource("everyOptionInEverySituation")
    void decidesAboutEveryOptionInEverySituation(ToolOption option, Situation situation) {
        assertThat(EXPECTED).containsKey(option.longName());
        int column = List.of(Situation.values()).indexOf(situation);
        char expected = EXPECTED.getOrDefault(option.longName(), "").charAt(column);

        Verdict verdict = OptionRules.judge(EnumSet.of(option), situation);

        switch (expected) {
            case 'A' -> {
                assertThat(verdict.refusal()).isEmpty();
                assertThat(verdict.notes()).isEmpty();
            }
            case 'I' -> {
                assertThat(verdict.refusal()).isEmpty();
                assertThat(verdict.notes())
                        .singleElement()
                        .asString()
                        .startsWith(option.longName() + " is ignored: ");
            }
            default ->
                    assertThat(verdict.refusal())
                            .startsWith(option.longName() + " makes no sense for ");
        }
    }

    @ParameterizedTest
    @EnumSource(Situation.class)
    void saysNothingAboutOptionsThatWereNotGiven(Situation situation) {
        Verdict verdict = OptionRules.judge(EnumSet.noneOf(ToolOption.class), situation);

        assertThat(verdict.refusal()).isEmpty();
        assertThat(verdict.notes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"COUNT, DURATION", "SIZE, ALL", "VERIFY, RAW_ONEBUF", "VERIFY, VERB"})
    void refusesTwoOptionsOfWhichOneWouldBeDropped(ToolOption one, ToolOption other) {
        assertThat(OptionRules.judge(EnumSet.of(one, other), Situation.CLIENT_RAW).refusal())
                .contains(one.longName(), other.longName(), "exclude each other");
    }

    @ParameterizedTest
    @CsvSource({"COUNT, DURATION", "SIZE, ALL", "DURATION, ALL"})
    void refusesContradictionsOfEitherEndOfPerftest(ToolOption one, ToolOption other) {
        for (Situation situation : List.of(Situation.PERFTEST_SERVER, Situation.PERFTEST_CLIENT)) {
            assertThat(OptionRules.judge(EnumSet.of(one, other), situation).refusal())
                    .contains(one.longName(), other.longName(), "exclude each other");
        }
    }

    @ParameterizedTest
    @CsvSource({"COUNT, DURATION", "SIZE, ALL"})
    void leavesContradictionsToTheClientThatTheServerFollows(ToolOption one, ToolOption other) {
        assertThat(OptionRules.judge(EnumSet.of(one, other), Situation.SERVER).refusal()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Situation.class)
    void saysThatDepthIsIgnoredWhenBatchIsTheTransmitDepth(Situation situation) {
        Verdict verdict =
                OptionRules.judge(EnumSet.of(ToolOption.BATCH, ToolOption.DEPTH), situation);

        assertThat(
                        verdict.notes()
                                .contains(
                                        "--depth is ignored: in the raw tier -b is the transmit depth"))
                .isEqualTo(situation == Situation.CLIENT_RAW);
    }

    @ParameterizedTest
    @EnumSource(ToolOption.class)
    void hasAReasonForWhateverDoesNotApply(ToolOption option) {
        for (Situation situation : Situation.values()) {
            switch (OptionRules.rule(option, situation)) {
                case Rule.Applies applies -> assertThat(applies).isNotNull();
                case Rule.Ignored(String reason) -> assertThat(reason).isNotBlank();
                case Rule.Refused(String reason) -> assertThat(reason).isNotBlank();
            }
        }
    }
}
