package io.rdmanet.bw.command;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// What all subcommands check.
final class Subcommands {
    private Subcommands() {}

    /// Refuses what stands before the subcommand's name: it would be dropped.
    static void requireNothingBefore(CommandSpec spec) {
        ParseResult before = spec.parent().commandLine().getParseResult();
        List<String> given =
                before.matchedOptions().stream().map(option -> option.longestName()).toList();
        if (!given.isEmpty() || !before.matchedPositionals().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "nothing may stand before '"
                            + spec.name()
                            + "'"
                            + (given.isEmpty() ? "" : ": " + String.join(", ", given)));
        }
    }
}
