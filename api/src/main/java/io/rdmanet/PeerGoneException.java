package io.rdmanet;

import java.io.IOException;

/// The peer has gone without closing the connection: its process or its machine died, or the
/// network between failed. What was accepted for sending may not have arrived.
public final class PeerGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    /// @param detail which peer, how that was noticed
    public PeerGoneException(String detail) {
        super(detail);
    }

    /// @param cause the failure by which it was noticed
    public PeerGoneException(String detail, Throwable cause) {
        super(detail, cause);
    }
}
