package io.rdmanet.loopback.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WakeSetTest {
    private final WakeSet set = new WakeSet();

    @Test
    void keepsEachNumberOnceAndInOrder() {
        List.of(5, 3, 5, 0, 3, 0xff_ffff).forEach(set::add);
        assertThat(drain(10)).containsExactly(5, 3, 0, 0xff_ffff);
        assertThat(set.isEmpty()).isTrue();
    }

    @Test
    void sendsANumberAgainThatCameAfterItWasTaken() {
        List.of(1, 2, 3).forEach(set::add);
        assertThat(drain(2)).containsExactly(1, 2);
        set.add(1);
        set.add(3);
        assertThat(drain(10)).containsExactly(3, 1);
    }

    @Test
    void takesNothingWithoutRoom() {
        set.add(1);
        assertThat(drain(0)).isEmpty();
        assertThat(set.isEmpty()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void behavesAsASetInOrderWhateverComes(long seed) {
        Random random = new Random(seed);
        int range = 1 + random.nextInt(5_000);
        Set<Integer> model = new LinkedHashSet<>();
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(4) > 0) {
                int number = random.nextInt(range) * 4096 & 0xff_ffff;
                set.add(number);
                model.add(number);
            } else {
                int room = random.nextInt(4);
                List<Integer> expected = model.stream().limit(room).toList();
                assertThat(drain(room)).as("seed %d, step %d", seed, step).isEqualTo(expected);
                expected.forEach(model::remove);
            }
        }
        assertThat(drain(range)).isEqualTo(List.copyOf(model));
        assertThat(set.isEmpty()).isTrue();
    }

    private List<Integer> drain(int room) {
        ByteBuffer buffer = ByteBuffer.allocate(room * LinkMessageDescriptor.LENGTH);
        set.drainTo(buffer);
        List<Integer> numbers = new ArrayList<>();
        for (int offset = 0; offset < buffer.position(); offset += LinkMessageDescriptor.LENGTH) {
            numbers.add(LinkMessageDescriptor.queuePairNumber(buffer, offset));
        }
        return numbers;
    }
}
