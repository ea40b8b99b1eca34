package io.rdmanet;

import java.io.IOException;

/// The peer sent something that rdmanet's protocol forbids, or speaks another version or role of
/// it. The connection is closed.
public final class ProtocolViolationException extends IOException {
    private static final long serialVersionUID = 1L;

    /// @param detail what came, and what would have been right
    public ProtocolViolationException(String detail) {
        super(detail);
    }
}
