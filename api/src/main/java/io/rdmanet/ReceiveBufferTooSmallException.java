package io.rdmanet;

import java.io.IOException;

/// The next message does not fit the buffer that was given for it. The message stays and can be
/// received with a larger buffer.
public final class ReceiveBufferTooSmallException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int requiredBytes;

    /// @param requiredBytes the message's length
    /// @param bufferBytes the buffer's length
    public ReceiveBufferTooSmallException(int requiredBytes, long bufferBytes) {
        super(
                "the next message has "
                        + requiredBytes
                        + " bytes, the buffer only "
                        + bufferBytes
                        + "; the message stays: receive it with a larger buffer");
        this.requiredBytes = requiredBytes;
    }

    /// The message's length in bytes.
    public int requiredBytes() {
        return requiredBytes;
    }
}
