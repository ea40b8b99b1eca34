package io.rdmanet.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.LinkLayer;
import io.rdmanet.verbs.PathMtu;
import io.rdmanet.verbs.PortAttributes;
import io.rdmanet.verbs.PortState;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceFactsTest {
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("10.77.0.1");

    @TempDir Path root;

    private void write(String file, String text) throws Exception {
        Path path = root.resolve("sys/class").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private void makeDevice() throws Exception {
        String port = "infiniband/rxe0/ports/1/";
        write(port + "gids/0", "fe80:0000:0000:0000:0077:00ff:fe00:0001");
        write(port + "gids/1", "0000:0000:0000:0000:0000:ffff:0a4d:0001");
        write(port + "gid_attrs/ndevs/1", "veth1");
        write(port + "state", "4: ACTIVE");
        write(port + "link_layer", "Ethernet");
        write(port + "rate", "2.5 Gb/sec (1X SDR)");
        write(port + "lid", "0x0");
        write(port + "hw_counters/rcvd_rnr_err", "3");
        write(port + "hw_counters/lifespan", "10");
        write("net/veth1/mtu", "4200");
    }

    @Test
    void findsTheDeviceByTheAddressOfTheConnection() throws Exception {
        makeDevice();
        write("infiniband/other0/ports/1/gids/0", "fe80:0000:0000:0000:0000:0000:0000:0001");

        assertThat(new DeviceFacts(root).find(ADDRESS))
                .isEqualTo(new DeviceFacts.Port("rxe0", 1, 1));
    }

    @Test
    void takesTheOnlyDeviceForAnAddressThatNoneHas() throws Exception {
        makeDevice();

        assertThat(new DeviceFacts(root).find(InetAddress.ofLiteral("10.0.0.9")).device())
                .isEqualTo("rxe0");
    }

    @Test
    void knowsNothingWithoutFiles() {
        DeviceFacts facts = new DeviceFacts(root);
        DeviceFacts.Port port = facts.find(ADDRESS);

        assertThat(facts.names()).isEmpty();
        assertThat(port.device()).isEqualTo("unknown");
        assertThat(facts.ports("unknown")).isEqualTo(1);
        assertThat(facts.port(port).state()).isEqualTo(PortState.UNKNOWN);
        assertThat(facts.counters(port)).isEmpty();
    }

    @Test
    void readsThePort() throws Exception {
        makeDevice();
        DeviceFacts facts = new DeviceFacts(root);

        PortAttributes port = facts.port(facts.find(ADDRESS));

        assertThat(port.state()).isEqualTo(PortState.ACTIVE);
        assertThat(port.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
        assertThat(port.activeMtu()).isEqualTo(PathMtu.MTU_4096);
        assertThat(port.gidTableLength()).isEqualTo(2);
        assertThat(port.linkGigabitsPerSecond()).isEqualTo(2.5);
        assertThat(facts.counters(facts.find(ADDRESS))).containsOnlyKeys("rcvd_rnr_err");
    }
}
