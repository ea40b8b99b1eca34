package io.rdmanet;

import java.io.IOException;

/// A message longer than this end or the peer takes. Nothing was sent.
public final class MessageTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long length;
    private final long limit;

    /// @param length the message's length in bytes
    /// @param limit the most that is taken
    /// @param whose `this end` or `the peer`
    public MessageTooLargeException(long length, long limit, String whose) {
        super(
                "message of "
                        + length
                        + " bytes is longer than "
                        + whose
                        + " takes ("
                        + limit
                        + "); raise maxMessageBytes there");
        this.length = length;
        this.limit = limit;
    }

    /// The message's length in bytes.
    public long length() {
        return length;
    }

    /// The most that is taken.
    public long limit() {
        return limit;
    }
}
