package io.rdmanet.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Memory regions: how large DiSNI takes them, and when it is told to give one up.
class RegionCallsTest {
    private final PreparedCalls calls;

    RegionCallsTest() throws Exception {
        calls = new PreparedCalls();
    }

    @Test
    void keepsARegionThatIsOutstanding() throws Exception {
        assertThat(calls.prepared(1).execute(0, 1)).isEqualTo(1);

        assertThatThrownBy(calls.region::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has not completed");
        verify(calls.disni.verbs, never()).deregMr(any());

        calls.connection.queuePair().close();
        calls.region.close();
        verify(calls.disni.verbs).deregMr(any());
    }

    @Test
    void refusesRegionsThatDisniCannotMeasure() {
        assertThatThrownBy(() -> calls.connection.domain().allocate(1L << 31, Set.of()))
                .isInstanceOfSatisfying(
                        UnsupportedCapabilityException.class,
                        e -> assertThat(e.capability()).isEqualTo(Capability.LARGE_REGIONS));
    }
}
