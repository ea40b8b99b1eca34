package io.rdmanet.bw.latency;

import java.io.IOException;

/// One end of a ping-pong in one tier. Belongs to one thread; allocates nothing once it runs; the
/// caller closes it, and the connection after it.
interface Pinger extends AutoCloseable {
    /// Sends the messages of a round.
    void send(long round) throws IOException;

    /// Sends messages of a round with other payloads than are due, so that a peer that checks them
    /// learns that what it sent arrived wrong.
    void sendWrong(long round) throws IOException;

    /// Waits for the messages of a round.
    ///
    /// @return false if the peer has closed instead
    boolean receive(long round) throws IOException;

    /// Messages that arrived wrong.
    long badMessages();

    @Override
    void close();
}
