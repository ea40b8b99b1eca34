package io.rdmanet.loopback.link;

import io.rdmanet.verbs.GlobalIdentifier;
import java.util.concurrent.atomic.AtomicBoolean;

/// A peer's request, to be answered once. Safe for use by any thread.
public final class LinkRequest {
    private final LinkSocket socket;
    private final GlobalIdentifier peer;
    private final long id;
    private final RemoteOperation operation;
    private final AtomicBoolean isAnswered = new AtomicBoolean();

    LinkRequest(LinkSocket socket, GlobalIdentifier peer, long id, RemoteOperation operation) {
        this.socket = socket;
        this.peer = peer;
        this.id = id;
        this.operation = operation;
    }

    /// Who asks.
    public GlobalIdentifier peer() {
        return peer;
    }

    /// For what.
    public RemoteOperation operation() {
        return operation;
    }

    /// Answers. Never blocks; does nothing if the peer has gone.
    ///
    /// @param status 0 and more, as the two devices understand it
    /// @param value the result, for instance what an atomic found
    /// @throws IllegalStateException if it has been answered already
    public void reply(int status, long value) {
        if (status < 0) {
            throw new IllegalArgumentException("status is negative: " + status);
        }
        if (!isAnswered.compareAndSet(false, true)) {
            throw new IllegalStateException("the request has been answered already: " + operation);
        }
        socket.sendReply(id, status, value);
    }
}
