package io.rdmanet.bw.command;

import static java.util.Objects.requireNonNull;

import io.rdmanet.bw.report.Output;
import io.rdmanet.bw.report.ProvidersReport;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.VerbsProvider;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `providers`: what there is, and what it can do.
@Command(
        name = "providers",
        description =
                "Shows each provider: usable or why not, its devices, ports, GIDs and"
                        + " capabilities.",
        usageHelpAutoWidth = true,
        mixinStandardHelpOptions = true,
        versionProvider = ToolVersion.class)
final class ProvidersCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            arity = "0..1",
            fallbackValue = Output.STANDARD_OUTPUT,
            description = "write JSON to a file, or to standard output (-, or no FILE)")
    private @Nullable String jsonFile;

    ProvidersCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        CommandSpec own = requireNonNull(spec);
        Subcommands.requireNothingBefore(own);
        List<VerbsProvider> providers = ProviderSelection.installed();
        if (jsonFile == null) {
            ProvidersReport.lines(providers).forEach(terminal.out()::println);
        } else {
            try {
                Output.check(jsonFile);
            } catch (IOException e) {
                throw new ParameterException(own.commandLine(), String.valueOf(e.getMessage()));
            }
            Output.write(jsonFile, ProvidersReport.json(providers), terminal.out());
        }
        return ExitStatus.FINE;
    }
}
