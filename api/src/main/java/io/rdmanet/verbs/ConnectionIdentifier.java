package io.rdmanet.verbs;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// One end of a connection, from its request to its end (`struct rdma_cm_id`).
///
/// The caller closes it; closing closes its queue pair first. Safe for use by any thread.
public interface ConnectionIdentifier extends AutoCloseable {
    /// The device the connection runs on. It belongs to the connection manager: make protection
    /// domains and completion queues from it, but do not close it.
    Context context();

    /// The device's port, from 1.
    int portNumber();

    /// This end's address.
    InetSocketAddress localAddress();

    /// The peer's address.
    InetSocketAddress remoteAddress();

    /// Creates the connection's queue pair in the state INIT: receives can be posted, and should be
    /// before [#connect] or [#accept], because the peer may send at once.
    QueuePair createQueuePair(
            ProtectionDomain protectionDomain, QueuePairInitialAttributes attributes)
            throws VerbsException;

    /// Sends the request and waits for the answer (active side). The queue pair is READY_TO_SEND
    /// when it returns.
    ///
    /// @throws ConnectionException with the reason (rejected, unreachable, timed out ...); always
    ///   within the timeout
    void connect(ConnectionParameters parameters, long timeoutNanos) throws VerbsException;

    /// Accepts the request and waits until the connection stands (passive side).
    ///
    /// @throws ConnectionException if the peer has gone or the time is up
    void accept(ConnectionParameters parameters, long timeoutNanos) throws VerbsException;

    /// Refuses the request (passive side).
    ///
    /// @param privateData for the peer, at most 148 bytes; may be empty
    void reject(byte[] privateData) throws VerbsException;

    /// What the peer sent with its request or its acceptance. A fresh array.
    ///
    /// The packets of InfiniBand and RoCE have a field of fixed length for it (56 bytes with a
    /// request, 196 with an acceptance) and do not say how much of it was sent: there, zeros
    /// follow, and only zeros mean nothing. Elsewhere it is as long as what was sent. Data that may
    /// end in zeros has to carry its own length.
    byte[] privateData();

    /// The oldest event that nobody has taken, or null. Never blocks.
    @Nullable ConnectionEvent pollEvent() throws VerbsException;

    /// Waits for an event.
    ///
    /// @return the event, or null if none came in time
    @Nullable ConnectionEvent awaitEvent(long timeoutNanos) throws VerbsException;

    /// Ends the connection: the own queue pair goes to ERROR, the peer gets
    /// [ConnectionEvent#DISCONNECTED]. Does nothing if it is not connected.
    void disconnect() throws VerbsException;

    /// Closes the queue pair, ends the connection if it stands, and frees the identifier.
    @Override
    void close();
}
