package io.rdmanet.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;

class AddressTextTest {
    @Test
    void leavesOutTheNameThatJavaPutsBeforeTheDigits() throws Exception {
        InetAddress named = InetAddress.getByAddress("host.example", new byte[] {10, 0, 0, 1});

        assertThat(AddressText.describe(new InetSocketAddress(named, 18515)))
                .isEqualTo("10.0.0.1:18515");
    }

    @Test
    void describesIpv6AddressesInBrackets() {
        assertThat(
                        AddressText.describe(
                                new InetSocketAddress(InetAddress.ofLiteral("2001:db8::7"), 5)))
                .isEqualTo("[2001:db8:0:0:0:0:0:7]:5");
    }

    @Test
    void keepsANameThatWasNotResolved() {
        assertThat(AddressText.describe(InetSocketAddress.createUnresolved("no.such.host", 1)))
                .isEqualTo("no.such.host:1");
    }

    @Test
    void takesAddressesOfOtherKindsAsTheyAre() {
        assertThat(AddressText.describe(UnixDomainSocketAddress.of("some.sock")))
                .isEqualTo("some.sock");
    }
}
