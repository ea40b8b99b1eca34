package io.rdmanet.ffm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rdmanet.tck.ConnectionManagerContract;
import io.rdmanet.verbs.VerbsProvider;
import java.net.InetAddress;
import org.junit.jupiter.api.BeforeEach;

/// Connecting once more, at the IPv6 address of the device that the system property
/// `rdmanet.tck.address6` names: the contract's own IPv6 test wants a device at `::1`.
class FfmIpv6ConnectionManagerTest extends ConnectionManagerContract {
    private static final String ADDRESS = System.getProperty("rdmanet.tck.address6", "");

    @BeforeEach
    final void requireAddress() {
        String reason = "rdmanet.tck.address6 names no address";
        if (ADDRESS.isEmpty()) {
            System.out.println("skipped: " + reason);
        }
        assumeTrue(!ADDRESS.isEmpty(), reason);
    }

    @Override
    protected VerbsProvider provider() {
        return new FfmProvider();
    }

    @Override
    protected InetAddress address() {
        return InetAddress.ofLiteral(ADDRESS);
    }
}
