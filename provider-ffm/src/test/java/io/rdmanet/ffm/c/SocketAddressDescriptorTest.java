package io.rdmanet.ffm.c;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SocketAddressDescriptorTest {
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment segment = arena.allocate(SocketAddressDescriptor.STORAGE_SIZE, 8);

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 18515",
        "0.0.0.0, 0",
        "255.255.255.255, 65535",
        "2001:db8::7, 18515",
        "::, 0",
        "::1, 255",
        "::1, 256"
    })
    void readsWhatItHasWritten(String host, int port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral(host), port);

        SocketAddressDescriptor.set(segment.address(), address);

        assertThat(SocketAddressDescriptor.get(segment.address())).isEqualTo(address);
    }

    @Test
    void writesIpv4AsCExpectsIt() {
        SocketAddressDescriptor.set(
                segment.address(),
                new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 0x4853));

        assertThat(Arrays.copyOf(segment.toArray(JAVA_BYTE), SocketAddressDescriptor.IPV4_SIZE))
                .containsExactly(2, 0, 0x48, 0x53, (byte) 192, 0, 2, 7, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void writesIpv6AsCExpectsItWithTheScope() throws Exception {
        byte[] linkLocal = InetAddress.ofLiteral("fe80::7").getAddress();
        InetSocketAddress address =
                new InetSocketAddress(Inet6Address.getByAddress(null, linkLocal, 3), 0x4853);

        SocketAddressDescriptor.set(segment.address(), address);

        byte[] written =
                Arrays.copyOf(segment.toArray(JAVA_BYTE), SocketAddressDescriptor.IPV6_SIZE);
        assertThat(Arrays.copyOf(written, 8)).containsExactly(10, 0, 0x48, 0x53, 0, 0, 0, 0);
        assertThat(Arrays.copyOfRange(written, 8, 24)).isEqualTo(linkLocal);
        assertThat(Arrays.copyOfRange(written, 24, 28)).containsExactly(3, 0, 0, 0);
        InetSocketAddress read = requireNonNull(SocketAddressDescriptor.get(segment.address()));
        assertThat(read).isEqualTo(address);
        assertThat(((Inet6Address) read.getAddress()).getScopeId()).isEqualTo(3);
    }

    @Test
    void readsNothingFromOtherFamilies() {
        assertThat(SocketAddressDescriptor.get(segment.address())).isNull();
    }

    @Test
    void refusesANameWithoutAddress() {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 1);

        assertThatThrownBy(() -> SocketAddressDescriptor.set(segment.address(), unresolved))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere.invalid");
    }
}
