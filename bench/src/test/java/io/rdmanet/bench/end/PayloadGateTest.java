package io.rdmanet.bench.end;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.bw.run.PayloadPattern;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadGateTest {
    private static final int SIZE = 65;
    private static final long SEED = 7;

    private final PayloadGate gate = new PayloadGate(SIZE, SEED);

    private static MemorySegment message(long number) {
        MemorySegment memory = Arena.ofAuto().allocate(SIZE + 1);
        PayloadPattern.fill(memory, SIZE, SEED, number);
        return memory;
    }

    @Test
    void passesMessagesInOrder() {
        for (long number = 0; number < 3; number++) {
            gate.accept(message(number), SIZE);
        }

        assertThat(gate.checked()).isEqualTo(3);
        assertThat(gate.bad()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 63, 64})
    void noticesOneWrongByte(int offset) {
        MemorySegment message = message(0);
        byte right = message.get(ValueLayout.JAVA_BYTE, offset);
        message.set(ValueLayout.JAVA_BYTE, offset, (byte) (right ^ 1));

        gate.accept(message, SIZE);

        assertThat(gate.bad()).isOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {SIZE - 1, SIZE + 1})
    void noticesAnotherLength(int length) {
        gate.accept(message(0), length);

        assertThat(gate.bad()).isOne();
    }

    @Test
    void noticesALostMessage() {
        gate.accept(message(0), SIZE);
        gate.accept(message(2), SIZE);

        assertThat(gate.bad()).isOne();
    }

    @Test
    void noticesADoubledMessage() {
        gate.accept(message(0), SIZE);
        gate.accept(message(0), SIZE);

        assertThat(gate.bad()).isOne();
    }
}
