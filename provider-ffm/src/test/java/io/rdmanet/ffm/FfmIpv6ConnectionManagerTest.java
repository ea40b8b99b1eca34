package io.rdmanet.ffm;

import io.rdmanet.tck.ConnectionManagerContract;
import io.rdmanet.verbs.VerbsProvider;
import java.net.InetAddress;
import org.junit.jupiter.api.BeforeEach;

/// Connecting once more, at the [Ipv6Address] of the device: the contract's own IPv6 test wants a
/// device at `::1`.
class FfmIpv6ConnectionManagerTest extends ConnectionManagerContract {
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
