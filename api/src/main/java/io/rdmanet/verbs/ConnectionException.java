package io.rdmanet.verbs;

import static java.util.Objects.requireNonNull;

/// A connection that did not come about.
@SuppressWarnings("serial") // thrown, never serialised
public final class ConnectionException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final byte[] privateData;

    /// Why a connection did not come about.
    public enum Reason {
        /// No RDMA device owns the address, or it is not an address of this machine.
        ADDRESS_ERROR,
        /// The address is taken by another listener.
        ADDRESS_IN_USE,
        /// There is no route to the address.
        ROUTE_ERROR,
        /// The peer's machine does not answer.
        UNREACHABLE,
        /// Nobody listens there, or the listener said no.
        REJECTED,
        /// The answer did not come in time.
        TIMED_OUT,
        /// The connection manager failed inside.
        CONNECT_ERROR,
        /// The peer has gone before the connection stood.
        PEER_GONE
    }

    /// @param verb what was tried (`rdma_connect`)
    /// @param reason why it failed
    /// @param detail on what address, and what to do
    public ConnectionException(String verb, Reason reason, String detail) {
        this(verb, reason, detail, new byte[0]);
    }

    /// @param privateData what the peer sent with its rejection
    public ConnectionException(String verb, Reason reason, String detail, byte[] privateData) {
        super(verb, reason + ": " + detail);
        this.reason = requireNonNull(reason, "reason");
        this.privateData = privateData.clone();
    }

    /// Why.
    public Reason reason() {
        return reason;
    }

    /// What the peer sent with its rejection, as [ConnectionIdentifier#privateData()] of at most
    /// 148 bytes; empty if it was not a rejection. A fresh array.
    public byte[] privateData() {
        return privateData.clone();
    }
}
