package io.rdmanet.bw.run;

import io.rdmanet.Conn;
import io.rdmanet.PeerGoneException;
import io.rdmanet.ProtocolViolationException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Receiving control records.
final class Controls {
    private Controls() {}

    /// Waits for the next record.
    ///
    /// @return null if the peer closed instead
    static @Nullable ControlRecord next(Conn conn) throws IOException {
        byte[] message = conn.recvMsg();
        return message == null ? null : ControlDescriptor.decode(message);
    }

    /// Waits for a record of one kind.
    ///
    /// @param purpose what the peer should do by it, for the error's message
    static <R extends ControlRecord> R receive(Conn conn, Class<R> kind, String purpose)
            throws IOException {
        ControlRecord record = next(conn);
        if (record == null) {
            throw new PeerGoneException(
                    "the peer "
                            + SocketText.of(conn.remoteAddress())
                            + " closed instead of going on to "
                            + purpose);
        }
        if (!kind.isInstance(record)) {
            throw new ProtocolViolationException(
                    "the peer should " + purpose + " and sent " + record);
        }
        return kind.cast(record);
    }
}
