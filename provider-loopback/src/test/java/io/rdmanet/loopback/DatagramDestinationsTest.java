package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.loopback.link.PeerLink;
import io.rdmanet.verbs.GlobalIdentifier;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatagramDestinationsTest {
    private DeviceFixture device;
    private DatagramDestinations destinations;
    private PeerLink own;

    @BeforeEach
    void open() throws Exception {
        device = new DeviceFixture();
        GlobalIdentifier gid = device.context.hub().instance().gid();
        destinations = new DatagramDestinations(gid);
        own = device.context.hub().peer(gid);
    }

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void findsWhatItHasFoundBefore() {
        Set<DatagramDestination> found = new HashSet<>();
        for (int number = 0; number < 500; number++) {
            found.add(destinations.find(own, number));
        }

        assertThat(found).hasSize(500);
        for (int number = 0; number < 500; number++) {
            assertThat(destinations.find(own, number)).isIn(found);
            assertThat(destinations.find(own, number).number()).isEqualTo(number);
        }
    }

    @Test
    void tellsDevicesApart() throws Exception {
        try (DeviceFixture other = new DeviceFixture()) {
            PeerLink link = device.context.hub().peer(other.context.hub().instance().gid());

            assertThat(destinations.find(link, 7)).isNotSameAs(destinations.find(own, 7));
            assertThat(destinations.find(link, 7).link()).isSameAs(link);
        }
    }

    @Test
    void forgetsDevicesThatHaveGone() throws Exception {
        PeerLink link;
        DatagramDestination known;
        DatagramDestination kept = destinations.find(own, 7);
        try (DeviceFixture other = new DeviceFixture()) {
            link = device.context.hub().peer(other.context.hub().instance().gid());
            known = destinations.find(link, 7);
        }
        long start = System.nanoTime();
        while (link.isAlive()) {
            assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
            Thread.sleep(1);
        }

        destinations.requestSweep();
        destinations.sweepIfDue();

        assertThat(destinations.find(link, 7)).isNotSameAs(known);
        assertThat(destinations.find(own, 7)).isSameAs(kept);
    }
}
