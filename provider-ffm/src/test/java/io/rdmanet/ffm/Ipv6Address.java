package io.rdmanet.ffm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;

/// The IPv6 address of the device, which the system property `rdmanet.tck.address6` names.
final class Ipv6Address {
    private static final String ADDRESS = System.getProperty("rdmanet.tck.address6", "");

    private Ipv6Address() {}

    /// Skips the test, and says so, if there is none.
    static void require() {
        String reason = "rdmanet.tck.address6 names no address";
        if (ADDRESS.isEmpty()) {
            System.out.println("skipped: " + reason);
        }
        assumeTrue(!ADDRESS.isEmpty(), reason);
    }

    static InetAddress address() {
        return InetAddress.ofLiteral(ADDRESS);
    }
}
