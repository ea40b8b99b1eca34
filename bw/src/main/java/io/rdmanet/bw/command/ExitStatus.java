package io.rdmanet.bw.command;

/// What the process's exit status says.
final class ExitStatus {
    /// Everything went well.
    static final int FINE = 0;

    /// A run failed, or payloads arrived wrong.
    static final int FAILED = 1;

    /// The command line makes no sense.
    static final int USAGE = 2;

    private ExitStatus() {}
}
