package io.rdmanet.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.ConnOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotMemoryTest {
    @ParameterizedTest
    @CsvSource({
        "64,64",
        "65,192",
        "127,192",
        "128,192",
        "129,192",
        "192,192",
        "193,320",
        "65536,65600",
        "1073741824,1073741888"
    })
    void alignsSlotsAndSpreadsThemOverTheSetsOfACache(int slotBytes, long stride) {
        assertThat(slotBytes).isBetween(ConnOptions.MIN_SLOT_BYTES, ConnOptions.MAX_SLOT_BYTES);
        assertThat(SlotMemory.stride(slotBytes)).isEqualTo(stride);
    }
}
