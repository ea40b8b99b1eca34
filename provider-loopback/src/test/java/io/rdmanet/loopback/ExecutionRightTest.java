package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.loopback.ring.QueuePairDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ExecutionRightTest {
    private final MemorySegment memory =
            Arena.ofAuto().allocate(QueuePairDescriptor.RINGS_OFFSET, QueuePairDescriptor.LINE);
    private final ExecutionRight right = new ExecutionRight(memory.address());

    @Test
    void isHeldByOneAtATime() {
        assertThat(right.tryBegin()).isTrue();
        assertThat(ExecutionRight.isHeld(memory.address())).isTrue();
        assertThat(right.tryBegin()).isFalse();

        right.end();
        assertThat(ExecutionRight.isHeld(memory.address())).isFalse();
        right.begin();
        assertThat(ExecutionRight.isHeld(memory.address())).isTrue();
    }

    @Test
    void isNotHeldAndNotToBeHadOnceRetired() {
        right.begin();
        right.retire();

        assertThat(ExecutionRight.isHeld(memory.address())).isFalse();
        assertThat(right.tryBegin()).isFalse();
    }
}
