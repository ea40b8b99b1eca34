package io.rdmanet.internal.setup;

import io.rdmanet.ConnectionSetup;
import io.rdmanet.verbs.ProviderSelection;
import io.rdmanet.verbs.VerbsProvider;
import java.io.IOException;
import java.util.List;

/// Dials: chooses provider and way of connecting, and finds the peer.
public final class Dialling {
    private Dialling() {}

    /// Finds the peer. Always ends by the request's deadline.
    ///
    /// @param providers the providers there are, best first
    /// @return the connection on its way, to be established or closed by the caller
    public static Rendezvous dial(List<VerbsProvider> providers, DialRequest request)
            throws IOException {
        ProviderSelection selection =
                ProviderSelection.choose(providers, request.options().provider());
        return request.options().setup() == ConnectionSetup.TCP
                ? TcpRendezvous.dial(request, selection)
                : ConnectionManagerRendezvous.dial(request, selection);
    }
}
