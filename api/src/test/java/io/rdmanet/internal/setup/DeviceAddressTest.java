package io.rdmanet.internal.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.EndpointOptions;
import io.rdmanet.internal.setup.Fakes.FakeProvider;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.GidEntry;
import io.rdmanet.verbs.GidType;
import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DeviceAddressTest {
    private static final GidEntry IPV4 = FakeProvider.gid(1, 0, 0xffff0a000001L);
    private static final GidEntry IPV6 = FakeProvider.gid(2, 0xfd00L << 48, 1);

    private final FakeProvider provider = new FakeProvider();
    private EndpointOptions options = EndpointOptions.defaults().withDevice("fake0");

    @AfterEach
    void leavesNothingOpen() {
        assertThat(provider.openContexts).hasValue(0);
    }

    private @Nullable InetSocketAddress find(String peer) throws VerbsException {
        return DeviceAddress.find(provider, options, InetAddress.ofLiteral(peer));
    }

    private static InetSocketAddress at(String address) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), 0);
    }

    @Test
    void isAnAddressOfTheDeviceAndOfThePeersFamily() throws Exception {
        provider.gids = List.of(IPV4, IPV6);
        assertThat(find("10.9.9.9")).isEqualTo(at("10.0.0.1"));
        assertThat(find("fd00::9")).isEqualTo(at("fd00::1"));
        assertThat(find("0.0.0.0")).isEqualTo(at("10.0.0.1"));
    }

    @Test
    void isThatOfTheGidAskedFor() throws Exception {
        provider.gids = List.of(IPV4, IPV6);
        options = options.withGidIndex(2);
        assertThat(find("fd00::9")).isEqualTo(at("fd00::1"));
        assertThat(find("::")).isEqualTo(at("fd00::1"));
        assertThatThrownBy(() -> find("10.9.9.9"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("index 2 of port 1 of fake0")
                .hasMessageContaining("does not reach 10.9.9.9")
                .hasMessageContaining("choose one of the same family");
    }

    @Test
    void isRefusedForAGidThatIsNotThere() {
        options = options.withGidIndex(7);
        assertThatThrownBy(() -> find("10.9.9.9")).hasMessageContaining("no GID of index 7");
    }

    @Test
    void isLeftToTheConnectionManagerUnlessADeviceIsNamed() throws Exception {
        options = EndpointOptions.defaults();
        assertThat(find("10.9.9.9")).isNull();
    }

    @Test
    void isLeftToTheConnectionManagerForPeersOnThisMachinesLoopback() throws Exception {
        assertThat(find("127.0.0.1")).isNull();
    }

    @Test
    void isLeftToTheConnectionManagerWhereGidsAreNoInterfaces() throws Exception {
        provider.gids = List.of(new GidEntry(0, new GlobalIdentifier(1, 2), GidType.ROCE_V2, ""));
        assertThat(find("fd00::9")).isNull();
        provider.gids = List.of(IPV4);
        provider.capabilities = EnumSet.complementOf(EnumSet.of(Capability.GID_CHOICE));
        assertThat(find("10.9.9.9")).isNull();
    }
}
