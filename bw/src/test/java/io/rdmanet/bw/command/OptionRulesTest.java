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
    /// server, msg, batch, zero-copy, raw.
    private static final Map<String, String> EXPECTED =
            Map.ofEntries(
                    Map.entry("--provider", "AAAAAA"),
                    Map.entry("--device", "AAAAAA"),
                    Map.entry("--ib-port", "AAAAAA"),
                    Map.entry("--gid-index", "AAAAAA"),
                    Map.entry("--size", "AIAAAA"),
                    Map.entry("--count", "IIAAAA"),
                    Map.entry("--duration", "IIAAAA"),
                    Map.entry("--batch", "IIAAAA"),
                    Map.entry("--raw", "AAAAAA"),
                    Map.entry("--raw-onebuf", "RIRRRA"),
                    Map.entry("--raw-single", "RIRRRA"),
                    Map.entry("--zero-copy", "IRAAAR"),
                    Map.entry("--depth", "AIAAAA"),
                    Map.entry("--poll", "AIAAAI"),
                    Map.entry("--handshake", "AAAAAA"),
                    Map.entry("--tcp-port", "AAAAAA"),
                    Map.entry("--loop", "AARRRR"),
                    Map.entry("--all", "IIAAAA"),
                    Map.entry("--warmup", "IIAAAA"),
                    Map.entry("--repeat", "IIAAAA"),
                    Map.entry("--verify", "IIAAAA"),
                    Map.entry("--probe", "AAAAAA"),
                    Map.entry("--timeout", "AAAAAA"),
                    Map.entry("--json", "AAAAAA"),
                    Map.entry("--csv", "AAAAAA"),
                    Map.entry("--verbose", "AAAAAA"));

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
    @CsvSource({"COUNT, DURATION", "SIZE, ALL", "VERIFY, RAW_ONEBUF"})
    void refusesTwoOptionsOfWhichOneWouldBeDropped(ToolOption one, ToolOption other) {
        assertThat(OptionRules.judge(EnumSet.of(one, other), Situation.CLIENT_RAW).refusal())
                .contains(one.longName(), other.longName(), "exclude each other");
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
