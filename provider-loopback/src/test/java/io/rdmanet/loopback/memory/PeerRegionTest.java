package io.rdmanet.loopback.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.loopback.ring.RegionTableDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeerRegionTest {
    private static final long ADDRESS = 0x7000_0000_0000L;
    private static final long LENGTH = 100;

    private final MemorySegment entry =
            Arena.ofAuto().allocate(RegionTableDescriptor.ENTRY_BYTES, 64);

    private PeerRegion region(long address, long length, int access) {
        RegionTable.publish(entry.address(), 5, address, length, access, 9, 257, false);
        return new PeerRegion(entry, 5, 257, false, MemorySegment.NULL, Arena.global());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "0, 1, 0",
        "0, 100, 0",
        "0, 101, -1",
        "99, 1, 99",
        "99, 2, -1",
        "100, 0, 100",
        "100, 1, -1",
        "101, 0, -1",
        "-1, 1, -1",
        "-1, 0, -1",
        "-1, 101, -1"
    })
    void findsAddressesInsideOnly(long distance, long bytes, long offset) {
        PeerRegion region = region(ADDRESS, LENGTH, 0);

        assertThat(region.offsetOf(ADDRESS + distance, bytes)).isEqualTo(offset);
        assertThat(region.contains(distance, bytes)).isEqualTo(offset >= 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1})
    void isNotFooledByOverflow(long address) {
        PeerRegion region = region(ADDRESS, LENGTH, 0);

        assertThat(region.offsetOf(address, 1)).isEqualTo(-1);
        assertThat(region.offsetOf(address, Long.MAX_VALUE)).isEqualTo(-1);
        assertThat(region.offsetOf(ADDRESS, Long.MAX_VALUE)).isEqualTo(-1);
        assertThat(region.offsetOf(ADDRESS + 1, Long.MAX_VALUE)).isEqualTo(-1);
        assertThat(region.offsetOf(ADDRESS, -1)).isEqualTo(-1);
        assertThat(region.offsetOf(ADDRESS, Long.MIN_VALUE)).isEqualTo(-1);
        assertThat(region.contains(Long.MAX_VALUE, 1)).isFalse();
        assertThat(region.contains(1, Long.MAX_VALUE)).isFalse();
    }

    @Test
    void reachesTheEndOfTheAddressSpace() {
        PeerRegion region = region(-LENGTH, LENGTH, 0);

        assertThat(region.offsetOf(-1, 1)).isEqualTo(99);
        assertThat(region.offsetOf(0, 1)).isEqualTo(-1);
        assertThat(region.offsetOf(-LENGTH - 1, 1)).isEqualTo(-1);
    }

    @Test
    void allowsWhatItAllowsAndNoMore() {
        PeerRegion region = region(ADDRESS, LENGTH, 0b0110);

        assertThat(region.allows(0)).isTrue();
        assertThat(region.allows(0b0010)).isTrue();
        assertThat(region.allows(0b0110)).isTrue();
        assertThat(region.allows(0b1000)).isFalse();
        assertThat(region.allows(0b1010)).isFalse();
        assertThat(region.domain()).isEqualTo(9);
    }

    @Test
    void isOpenUntilItsEntryIsWithdrawnOrAnothers() {
        PeerRegion region = region(ADDRESS, LENGTH, 0);
        assertThat(region.isOpen()).isTrue();

        RegionTable.withdraw(entry.address());
        assertThat(region.isOpen()).isFalse();

        RegionTable.publish(entry.address(), 6, ADDRESS, LENGTH, 0, 9, 257, false);
        assertThat(region.isOpen()).isFalse();
        assertThat(region.offsetOf(ADDRESS, LENGTH)).isZero();
    }
}
