package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadPatternTest {
    private static final long SEED = 42;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1000})
    void seesAnyByteThatChanged(int size) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(size);
            PayloadPattern.fill(memory, size, SEED, 5);
            assertThat(PayloadPattern.matches(memory, size, SEED, 5)).isTrue();
            for (int i = 0; i < size; i++) {
                byte right = memory.get(ValueLayout.JAVA_BYTE, i);
                memory.set(ValueLayout.JAVA_BYTE, i, (byte) (right ^ 1));
                assertThat(PayloadPattern.matches(memory, size, SEED, 5))
                        .as("byte %d", i)
                        .isFalse();
                memory.set(ValueLayout.JAVA_BYTE, i, right);
            }
        }
    }

    @Test
    void dependsOnMessageAndSeed() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64);
            PayloadPattern.fill(memory, 64, SEED, 5);
            assertThat(PayloadPattern.matches(memory, 64, SEED, 4)).isFalse();
            assertThat(PayloadPattern.matches(memory, 64, SEED, 6)).isFalse();
            assertThat(PayloadPattern.matches(memory, 64, SEED + 1, 5)).isFalse();
        }
    }

    @Test
    void dependsOnThePosition() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(72);
            PayloadPattern.fill(memory, 72, SEED, 5);
            for (int offset = 1; offset <= 8; offset++) {
                assertThat(PayloadPattern.matches(memory.asSlice(offset), 64, SEED, 5)).isFalse();
            }
        }
    }

    @Test
    void writesNothingBeyondTheSize() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(16);
            PayloadPattern.fill(memory, 9, SEED, 5);
            for (int i = 9; i < 16; i++) {
                assertThat(memory.get(ValueLayout.JAVA_BYTE, i)).isZero();
            }
        }
    }
}
