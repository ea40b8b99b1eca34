package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class RawVerdictDescriptorTest {
    @Test
    void isReadOnTheRunItIsAboutOnly() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(RawVerdictDescriptor.LENGTH);
            assertThat(RawVerdictDescriptor.isOn(buffer, 0)).isFalse();

            RawVerdictDescriptor.write(buffer, 3, 1000, 2);

            assertThat(RawVerdictDescriptor.isOn(buffer, 3)).isTrue();
            assertThat(RawVerdictDescriptor.isOn(buffer, 2)).isFalse();
            assertThat(RawVerdictDescriptor.messages(buffer)).isEqualTo(1000);
            assertThat(RawVerdictDescriptor.badMessages(buffer)).isEqualTo(2);

            RawVerdictDescriptor.clear(buffer);
            assertThat(RawVerdictDescriptor.isOn(buffer, 3)).isFalse();
        }
    }
}
