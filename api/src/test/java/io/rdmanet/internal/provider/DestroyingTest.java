package io.rdmanet.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.ErrorNumber;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestroyingTest {
    @ParameterizedTest
    @ValueSource(ints = {0, ErrorNumber.EIO, -ErrorNumber.EIO, ErrorNumber.ENODEV})
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

    /// As libibverbs does, whose count of a channel's queues misses those that the kernel has
    /// destroyed with their device.
    @Test
    void leavesAChannelBehindThatIsBusyWithLostQueuesOnly() {
        assertThat(Destroying.requireChannel(0, false, "a channel")).isTrue();
        assertThat(Destroying.requireChannel(0, true, "a channel")).isTrue();
        assertThat(Destroying.requireChannel(ErrorNumber.EBUSY, true, "a channel")).isFalse();
        assertThatThrownBy(() -> Destroying.requireChannel(ErrorNumber.EBUSY, false, "a channel"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("destroy_comp_channel")
                .hasMessageContaining("EBUSY");
        assertThatThrownBy(() -> Destroying.requireChannel(ErrorNumber.EINVAL, true, "a channel"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(Destroying.isLost(ErrorNumber.EIO)).isTrue();
        assertThat(Destroying.isLost(0)).isFalse();
    }
}
