package io.rdmanet.internal.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.EndpointOptions;
import io.rdmanet.internal.setup.Fakes.FakeProvider;
import io.rdmanet.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TcpDeviceTest {
    private final FakeProvider provider = new FakeProvider();
    private EndpointOptions options = EndpointOptions.defaults();

    private String chosen(String local) throws VerbsException {
        TcpDevice device =
                TcpDevice.open(provider.selection(), options, InetAddress.ofLiteral(local));
        try {
            return device.context().deviceName();
        } finally {
            device.release();
            assertThat(provider.openContexts).hasValue(0);
        }
    }

    @Test
    void isTheOneThatOwnsThisEndsAddress() throws Exception {
        provider.gidsByDevice.put("mlx5_1", List.of(FakeProvider.gid(0, 0, 0xffff0a000002L)));
        assertThat(chosen("10.0.0.1")).isEqualTo("fake0");
        assertThat(chosen("10.0.0.2")).isEqualTo("mlx5_1");
    }

    @Test
    void isTheFirstIfNoneOwnsTheAddress() throws Exception {
        assertThat(chosen("0.0.0.0")).isEqualTo("fake0");
        assertThat(chosen("10.9.9.9")).isEqualTo("fake0");
    }

    @Test
    void isTheOneThatWasAskedForWhoeverOwnsTheAddress() throws Exception {
        options = options.withDevice("mlx5_1");
        assertThat(chosen("10.0.0.1")).isEqualTo("mlx5_1");
    }

    @Test
    void theRoutingTableKnowsThisEndsAddress() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        assertThat(Addresses.localTowards(new InetSocketAddress(loopback, 0))).isEqualTo(loopback);
        assertThat(Addresses.localTowards(InetSocketAddress.createUnresolved("nowhere.invalid", 1)))
                .satisfies(address -> assertThat(address.isAnyLocalAddress()).isTrue());
    }
}
