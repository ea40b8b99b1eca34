package io.rdmanet.bw.command;

import static java.util.Objects.requireNonNull;

import io.rdmanet.EndpointOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// What every command that is a server or a client has in common: which of the two it is, where the
/// server is, how to connect, and how to complain.
final class EndArguments {
    private static final int MAX_PORT = 0xffff;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "SERVER[:PORT]",
            description =
                    "where the server is; without it this is the server. IPv6 with a port:"
                            + " [ADDRESS]:PORT")
    private @Nullable String server;

    @Mixin private EndpointArguments endpoint = new EndpointArguments();

    @Option(
            names = {"-p", "--tcp-port"},
            paramLabel = "PORT",
            defaultValue = "18515",
            description = "where the server listens, 0 for any free port (default: 18515)")
    private int tcpPort = 18515;

    @Option(names = "--loop", description = "server: serve one client after another")
    private boolean loops;

    @Option(names = "--verbose", description = "show stack traces of failures")
    private boolean isVerbose;

    /// Whether this end is the server.
    boolean isServer() {
        return server == null;
    }

    /// Whether the server serves one client after another.
    boolean loops() {
        return loops;
    }

    /// Failures are shown from now on as the user wants them.
    void prepare(Terminal terminal) {
        if (isVerbose) {
            terminal.verbose();
        }
    }

    /// Complains about a port that cannot be.
    void requirePort() {
        requireRange("--tcp-port", tcpPort, isServer() ? 0 : 1, MAX_PORT);
    }

    /// Where the server listens, or where the client finds it.
    ///
    /// @throws IOException if the name of the server is not known
    InetSocketAddress address() throws IOException {
        String name = server;
        if (name == null) {
            return new InetSocketAddress(tcpPort);
        }
        ServerAddress parsed;
        try {
            parsed = ServerAddress.parse(name);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        if (parsed.port() != 0 && parsed.port() != tcpPort && isGiven("--tcp-port")) {
            throw usage("--tcp-port " + tcpPort + " contradicts " + name);
        }
        return parsed.resolve(tcpPort);
    }

    /// Provider, device and set-up.
    EndpointOptions endpoint() {
        try {
            return endpoint.options();
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    /// Whether the user gave an option.
    ///
    /// @param option its long name
    boolean isGiven(String option) {
        return requireNonNull(spec).commandLine().getParseResult().hasMatchedOption(option);
    }

    /// Complains about a value out of range.
    void requireRange(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw usage(option + " must be " + min + " to " + max + ", is " + value);
        }
    }

    /// A complaint about the options.
    ParameterException usage(String message) {
        return new ParameterException(requireNonNull(spec).commandLine(), message);
    }
}
