package io.rdmanet.bw.run;

import io.rdmanet.ConnectionDescription;
import java.net.InetSocketAddress;

/// Is told what happens, on the thread on which it happens and never during a run.
public interface Observer {
    /// Something the user should know: a value that was lowered, an option without effect.
    default void note(String line) {}

    /// One client of several failed; the server goes on.
    default void failed(Exception failure) {}

    /// The server waits.
    ///
    /// @param address where, with the real port
    /// @param reason why the provider was chosen
    default void listening(InetSocketAddress address, String provider, String reason) {}

    /// A client came, or the server was reached.
    default void connected(
            InetSocketAddress local, InetSocketAddress remote, ConnectionDescription connection) {}

    /// The runs of a setting begin.
    default void begins(Setting setting) {}

    /// A run that counts is over.
    ///
    /// @param repeat its number, from 1
    default void runDone(Setting setting, RunOutcome outcome, int repeat) {}

    /// All runs of a setting are over.
    default void cellDone(CellResult result) {}
}
