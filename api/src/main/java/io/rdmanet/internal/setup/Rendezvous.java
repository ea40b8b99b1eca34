package io.rdmanet.internal.setup;

import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.QueuePair;
import io.rdmanet.verbs.QueuePairInitialAttributes;
import java.io.IOException;

/// One connection on its way: the peer has been found, the device is known, the queue pair is not
/// connected yet. Dialling and accepting ends look the same from here.
///
/// Whoever got it makes domain, queues and queue pair from [#context()], posts receives, and calls
/// [#establish]. Closing it afterwards is not needed: the [Link] takes its resources over. Belongs
/// to one thread.
public interface Rendezvous extends AutoCloseable {
    /// The provider, and why it was chosen.
    ProviderSelection selection();

    /// The device; it stays open until the link, or this, is closed.
    Context context();

    /// How many receives the dialling end asked to be kept posted, known to an accepting end before
    /// it makes its queues; 0 if the peer said nothing, or could not.
    default int announcedReceiveDepth() {
        return 0;
    }

    /// Creates the queue pair in the state INIT, so that receives can be posted before the peer can
    /// know of it. May be called once.
    QueuePair createQueuePair(
            ProtectionDomain protectionDomain, QueuePairInitialAttributes attributes)
            throws IOException;

    /// Connects: the queue pair is READY_TO_SEND on return. May be called once.
    ///
    /// @param rnrRetryCount retries when the peer has no receive posted, 0 to 7
    /// @param deadline after which it gives up with DeadlineException or ConnectionException
    Link establish(int rnrRetryCount, Deadline deadline) throws IOException;

    /// Gives up and tells the peer why, where the set-up can carry words. Like [#close()]
    /// otherwise: does nothing once the connection is established.
    ///
    /// @param why for the peer's user, one sentence
    default void refuse(String why) {
        close();
    }

    /// Gives up: the peer is told (rejection or an end of the exchange), the device closed.
    @Override
    void close();
}
