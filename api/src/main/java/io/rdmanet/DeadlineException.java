package io.rdmanet;

import java.io.InterruptedIOException;

/// A blocking call that did not end in time. The connection stays usable unless the call's own
/// description says otherwise.
public final class DeadlineException extends InterruptedIOException {
    private static final long serialVersionUID = 1L;

    /// @param detail what was waited for, how long, and what to do
    public DeadlineException(String detail) {
        super(detail);
    }
}
