package io.rdmanet.bw.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuffersTest {
    @ParameterizedTest
    @CsvSource({
        "1, 4096, 4096",
        "4096, 4096, 4096",
        "4097, 4096, 4160",
        "8388608, 4096, 8388608",
        "65536, 65536, 65536"
    })
    void takesTheLongestMessageOrTheCycleBuffer(int size, int cycle, long stride) {
        Buffers buffers = new Buffers(2, size, Math.max(cycle, 4096), 64);
        assertThat(buffers.stride()).isEqualTo(size == 65536 ? 65536 : stride);
        assertThat(buffers.bytes()).isEqualTo(4 * buffers.stride());
        assertThat(buffers.targetOffset(1) + buffers.stride()).isEqualTo(buffers.bytes());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 2, 0",
        "1, 2, 64",
        "63, 2, 4032",
        "64, 2, 0",
        "1, 65, 128",
        "1, 2048, 2048",
        "2, 2048, 0",
        "1, 2049, 0",
        "5, 65536, 0"
    })
    void sendsShortMessagesRoundTheCycleBuffer(int index, int size, long offset) {
        assertThat(new Buffers(1, 8 << 20, 4096, 64).messageOffset(index, size)).isEqualTo(offset);
    }
}
