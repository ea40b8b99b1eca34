package io.rdmanet.loopback.ring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionTableDescriptorTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, RegionTableDescriptor.CAPACITY - 1})
    void findsTheIndexInAKeyOfAnyGeneration(int index) {
        for (int generation = 0; generation < 600; generation++) {
            int key = RegionTableDescriptor.key(index, generation);
            assertThat(RegionTableDescriptor.index(key)).isEqualTo(index);
        }
    }

    @Test
    void givesDifferentKeysToGenerationsNextToEachOther() {
        assertThat(RegionTableDescriptor.key(3, 1)).isNotEqualTo(RegionTableDescriptor.key(3, 2));
        assertThat(RegionTableDescriptor.key(0, 1)).isNotZero();
    }

    @Test
    void findsNoIndexInKeysThatWereNeverGiven() {
        assertThat(RegionTableDescriptor.index(-1))
                .isGreaterThanOrEqualTo(RegionTableDescriptor.CAPACITY);
        assertThat(RegionTableDescriptor.index(Integer.MIN_VALUE))
                .isGreaterThanOrEqualTo(RegionTableDescriptor.CAPACITY);
        assertThat(RegionTableDescriptor.index(RegionTableDescriptor.CAPACITY << 8))
                .isEqualTo(RegionTableDescriptor.CAPACITY);
    }
}
