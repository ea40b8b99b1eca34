package io.rdmanet.ffm;

import io.rdmanet.tck.FailedConnectionContract;
import io.rdmanet.verbs.VerbsProvider;
import java.net.InetAddress;
import org.junit.jupiter.api.BeforeEach;

/// What keeps connections from standing once more, at the [Ipv6Address] of the device.
class FfmIpv6FailedConnectionTest extends FailedConnectionContract {
    @BeforeEach
    final void requireAddress() {
        Ipv6Address.require();
    }

    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }

    @Override
    protected InetAddress address() {
        return Ipv6Address.address();
    }
}
