package io.rdmanet.bw.run;

import java.io.IOException;

/// A run that could not be done or whose result cannot be trusted; the message is for the user.
public final class RunFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    /// @param detail what failed, and what to do
    public RunFailedException(String detail) {
        super(detail);
    }

    /// @param cause the failure below it
    public RunFailedException(String detail, Throwable cause) {
        super(detail, cause);
    }
}
