package io.rdmanet.ffm.queue;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.ErrorNumber;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestroyingTest {
    @ParameterizedTest
    @ValueSource(ints = {0, ErrorNumber.EIO, ErrorNumber.ENODEV})
    void isDoneWhenTheObjectOrItsDeviceHasGone(int errno) {
        Destroying.require("destroy_qp", errno, "queue pair 0x1a");
    }

    @Test
    void saysWhatStaysWhenTheDeviceRefuses() {
        assertThatThrownBy(() ->
                        Destroying.require("destroy_cq", ErrorNumber.EBUSY, "a completion queue"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("destroy_cq")
                .hasMessageContaining("a completion queue")
                .hasMessageContaining("16 (EBUSY)");
    }
}
