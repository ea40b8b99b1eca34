package io.rdmanet.internal.setup;

import static java.util.Objects.requireNonNull;

/// What one end tells the other over TCP; [HandshakeRecordDescriptor] has the layout.
public sealed interface HandshakeRecord {
    /// "This is my queue pair": the first record of each end.
    ///
    /// @param role what the sender wants to carry
    /// @param receiveDepth receives that the peer is asked to keep posted; 0 if it need not know
    /// @param end the sender's queue pair and port
    record Offer(Role role, int receiveDepth, QueuePairEnd end) implements HandshakeRecord {
        public Offer {
            requireNonNull(role, "role");
            requireNonNull(end, "end");
        }
    }

    /// "I can receive": the second record of each end.
    ///
    /// @param role what the sender carries
    record Ready(Role role) implements HandshakeRecord {
        public Ready {
            requireNonNull(role, "role");
        }
    }

    /// "No": the last record. Every version of the protocol can read it.
    ///
    /// @param version the refusing end's version of the protocol
    /// @param roleCode the refusing end's role as the number on the wire, which may be unknown here
    /// @param reason why
    /// @param text why, in words; may be empty
    record Refusal(int version, int roleCode, Reason reason, String text)
            implements HandshakeRecord {
        public Refusal {
            requireNonNull(reason, "reason");
            requireNonNull(text, "text");
        }
    }

    /// Why an end says no.
    enum Reason {
        /// Another version of the protocol.
        VERSION(1),
        /// Another role: one end carries messages, the other is raw.
        ROLE(2),
        /// Too many connections at once.
        BUSY(3),
        /// Something failed at the refusing end; the text says what.
        FAILED(4),
        /// The two ends' devices cannot reach each other.
        PATH(5),
        /// The record broke the protocol.
        PROTOCOL(6),
        /// A reason of a later version.
        UNKNOWN(0);

        private final int code;

        Reason(int code) {
            this.code = code;
        }

        /// Its number on the wire.
        int code() {
            return code;
        }

        /// The reason of a number; [#UNKNOWN] for one that is not known.
        static Reason of(int code) {
            for (Reason reason : values()) {
                if (reason.code == code) {
                    return reason;
                }
            }
            return UNKNOWN;
        }
    }
}
