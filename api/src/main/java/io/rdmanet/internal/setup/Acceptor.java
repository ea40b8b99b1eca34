package io.rdmanet.internal.setup;

import io.rdmanet.ConnectionSetup;
import io.rdmanet.EndpointOptions;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.VerbsProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes what comes in at one address, whatever it is. The listener's loop owns and closes it; one
/// thread waits, any thread may close.
public interface Acceptor extends AutoCloseable {
    /// Where it listens, with the real port.
    InetSocketAddress localAddress();

    /// The provider, and why it was chosen.
    ProviderSelection selection();

    /// Waits for the next one, and does nothing else: what it says is read by [Inbound#rendezvous].
    ///
    /// @return who came, to be closed by the caller; null if nobody did for a while, ask again
    /// @throws IOException if the acceptor was closed, or this one could not be taken
    @Nullable Inbound awaitInbound() throws IOException;

    /// Stops listening and ends the wait. What came in lives on.
    @Override
    void close();

    /// Somebody who came in: a peer, or a stranger.
    interface Inbound extends AutoCloseable {
        /// Who, in words.
        String peer();

        /// Hears what it wants; called once, on a thread of its own.
        ///
        /// @return the connection on its way, which takes this over
        /// @throws IOException if it is a stranger, or a peer that does not fit, or said nothing in
        ///   time. A peer that speaks the protocol has been told why
        Rendezvous rendezvous(Deadline deadline) throws IOException;

        /// Sends it away unheard.
        void refuse(String why);

        /// Hangs up. May come from another thread than [#rendezvous], and ends that if it waits.
        @Override
        void close();
    }

    /// Listens.
    ///
    /// @param providers the providers there are, best first
    /// @param address a local address or the wildcard; port 0 takes a free one
    /// @param role what the connections must carry
    /// @throws io.rdmanet.verbs.ConnectionException if the address is in use or not local
    static Acceptor listen(
            List<VerbsProvider> providers,
            InetSocketAddress address,
            EndpointOptions options,
            Role role)
            throws IOException {
        ProviderSelection selection = ProviderSelection.choose(providers, options.provider());
        return options.setup() == ConnectionSetup.TCP
                ? TcpAcceptor.listen(selection, address, options, role)
                : ConnectionManagerAcceptor.listen(selection, address, options, role);
    }
}
