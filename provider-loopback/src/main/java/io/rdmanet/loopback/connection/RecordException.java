package io.rdmanet.loopback.connection;

import java.io.IOException;

/// What came is no record of a connection manager of this version.
final class RecordException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean isOfOtherVersion;

    RecordException(String detail, boolean isOfOtherVersion) {
        super(detail);
        this.isOfOtherVersion = isOfOtherVersion;
    }

    /// Whether it is a record, but of another version; else it is garbage.
    boolean isOfOtherVersion() {
        return isOfOtherVersion;
    }
}
