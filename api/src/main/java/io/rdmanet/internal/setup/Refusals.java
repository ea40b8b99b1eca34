package io.rdmanet.internal.setup;

import io.rdmanet.ProtocolViolationException;
import io.rdmanet.internal.setup.HandshakeRecord.Reason;
import io.rdmanet.internal.setup.HandshakeRecord.Refusal;
import io.rdmanet.verbs.ConnectionException;
import java.io.IOException;

/// The words in which one end refuses another, the same for each way of connecting.
final class Refusals {
    private Refusals() {}

    /// What the refusing end throws when the peer is of another role.
    static ProtocolViolationException roleMismatch(Role own, int peerRoleCode, String peer) {
        return new ProtocolViolationException(
                "role mismatch: this end is for "
                        + Role.describe(own.code())
                        + " connections, the peer "
                        + peer
                        + " for "
                        + Role.describe(peerRoleCode)
                        + " connections; use the same mode on both ends");
    }

    /// What the refusing end throws when the peer speaks another version.
    static ProtocolViolationException versionMismatch(int own, int peerVersion, String peer) {
        return new ProtocolViolationException(
                "version mismatch: this end speaks version "
                        + own
                        + " of the handshake, the peer "
                        + peer
                        + " version "
                        + peerVersion
                        + "; use the same release of rdmanet on both ends");
    }

    /// What the refused end throws.
    ///
    /// @param own this end's role
    /// @param peer the refusing end's address
    static IOException toException(Refusal refusal, Role own, String peer) {
        return switch (refusal.reason()) {
            case ROLE -> roleMismatch(own, refusal.roleCode(), peer);
            case VERSION ->
                    versionMismatch(HandshakeRecordDescriptor.VERSION, refusal.version(), peer);
            case PROTOCOL, PATH ->
                    new ProtocolViolationException(peer + " refused: " + refusal.text());
            case BUSY, FAILED, UNKNOWN ->
                    new ConnectionException(
                            "connecting",
                            ConnectionException.Reason.REJECTED,
                            peer + " refused: " + refusal.text());
        };
    }

    /// A refusal by this end.
    static Refusal of(Role own, Reason reason, String text) {
        return new Refusal(HandshakeRecordDescriptor.VERSION, own.code(), reason, text);
    }
}
