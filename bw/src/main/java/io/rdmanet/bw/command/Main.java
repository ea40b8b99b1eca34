package io.rdmanet.bw.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.function.IntSupplier;
import picocli.CommandLine;

/// Where the program begins: parses the command line, runs what it asks for, and turns the outcome
/// into an exit status.
public final class Main {
    private Main() {}

    /// Runs the tool and ends the process.
    public static void main(String[] arguments) {
        int status = run(arguments, System.out, System.err);
        // While Ctrl-C ends the process this waits for that, and the status is the signal's.
        System.exit(status);
    }

    /// Runs the tool.
    ///
    /// @return the exit status ([ExitStatus])
    static int run(String[] arguments, PrintStream out, PrintStream err) {
        Terminal terminal = new Terminal(out, err);
        CommandLine commandLine =
                new CommandLine(new BandwidthCommand(terminal))
                        .addSubcommand(new ProvidersCommand(terminal))
                        .addSubcommand(new LatencyCommand(terminal))
                        .addSubcommand(new CompareCommand(terminal))
                        .addSubcommand(new CompareWorkerCommand(terminal))
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .setOut(writer(out))
                        .setErr(writer(err))
                        .setParameterExceptionHandler((exception, args) -> {
                            terminal.error(
                                    exception.getMessage()
                                            + " (see "
                                            + exception
                                                    .getCommandLine()
                                                    .getCommandSpec()
                                                    .qualifiedName()
                                            + " --help)");
                            return ExitStatus.USAGE;
                        })
                        .setExecutionExceptionHandler((exception, command, parseResult) -> {
                            terminal.failure(exception);
                            return ExitStatus.FAILED;
                        });
        return status(terminal, () -> commandLine.execute(arguments));
    }

    /// An Error passes the parser by. That memory does not suffice is the user's affair.
    ///
    /// @return the exit status
    static int status(Terminal terminal, IntSupplier tool) {
        try {
            return tool.getAsInt();
        } catch (OutOfMemoryError tooMuch) {
            terminal.error(
                    "memory does not suffice ("
                            + tooMuch.getMessage()
                            + "): ask for less (-s, -b, -n, -q, --depth), or give Java more:"
                            + " RDMANET_JAVA_OPTS='-Xmx4g -XX:MaxDirectMemorySize=4g'");
            return ExitStatus.FAILED;
        }
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, stream.charset());
    }
}
