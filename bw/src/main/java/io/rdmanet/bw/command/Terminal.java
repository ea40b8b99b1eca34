package io.rdmanet.bw.command;

import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;

/// Where the tool prints, and how it says that something failed: in one line, unless the user wants
/// to see more.
final class Terminal {
    private static final String PROGRAM = "rdmanet-bw: ";

    private final PrintStream out;
    private final PrintStream err;
    private volatile boolean isVerbose;

    Terminal(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Standard output.
    PrintStream out() {
        return out;
    }

    /// Standard error.
    PrintStream err() {
        return err;
    }

    /// Shows stack traces from now on.
    void verbose() {
        isVerbose = true;
    }

    /// Says that something is wrong.
    void error(String message) {
        err.println(PROGRAM + message.replaceAll("\\s*\\R\\s*", " "));
        err.flush();
    }

    /// Says what failed.
    void failure(Throwable failure) {
        String message = failure.getMessage();
        boolean isExpected = failure instanceof IOException && message != null;
        error(isExpected ? String.valueOf(message) : unexpected(failure));
        if (isVerbose) {
            failure.printStackTrace(err);
        }
    }

    private String unexpected(Throwable failure) {
        return failure + (isVerbose ? "" : " (--verbose shows where)");
    }

    /// Whether a person is watching.
    @SuppressWarnings("SystemConsoleNull") // It may be null without a terminal, and may not.
    static boolean isInteractive() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }
}
