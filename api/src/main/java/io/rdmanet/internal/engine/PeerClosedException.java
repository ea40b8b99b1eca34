package io.rdmanet.internal.engine;

import java.nio.channels.ClosedChannelException;

/// A send after the peer has closed the connection.
final class PeerClosedException extends ClosedChannelException {
    private static final long serialVersionUID = 1L;

    private final String detail;

    PeerClosedException(String detail) {
        this.detail = detail;
    }

    @Override
    public String getMessage() {
        return detail;
    }
}
