package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuffersTest {
    @ParameterizedTest
    @CsvSource({
        "MSG, 1, 64",
        "MSG, 64, 64",
        "BATCH, 65, 65",
        "BATCH, 1048576, 1048576",
        "MSG, 1048577, 1048576",
        "ZERO_COPY, 8388608, 8388608",
        "ZERO_COPY, 134217728, 134217728"
    })
    void makesSlotsThatFitTheMessage(Mode mode, int size, int slotBytes) {
        assertThat(Buffers.slotBytes(mode, size)).isEqualTo(slotBytes);
    }

    @ParameterizedTest
    @CsvSource({
        "128, 65536, 128",
        "128, 1048576, 128",
        "128, 1048577, 127",
        "128, 8388608, 16",
        "16384, 64, 16384",
        "128, 134217728, 1",
        "1, 64, 1"
    })
    void lowersTheDepthToWhatTheBoundAllows(int wanted, int slotBytes, int depth) {
        assertThat(Buffers.depth(wanted, slotBytes)).isEqualTo(depth);
    }

    @ParameterizedTest
    @CsvSource({"128, 65536, 128", "128, 8388608, 8", "32, 1073741824, 1", "1, 1, 1"})
    void lowersTheNumberOfBuffersToWhatTheBoundAllows(int wanted, int size, int count) {
        assertThat(Buffers.count(wanted, size)).isEqualTo(count);
    }
}
