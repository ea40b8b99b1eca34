package io.rdmanet.ffm.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.ffm.FfmProvider;
import io.rdmanet.ffm.c.DeviceAttributesDescriptor;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.UnsupportedCapabilityException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class DeviceQueryTest {
    private final FfmProvider provider = new FfmProvider();

    private void requireAtomics(int capability) throws UnsupportedCapabilityException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment device = arena.allocate(DeviceAttributesDescriptor.SIZE, Long.BYTES);
            device.set(
                    ValueLayout.JAVA_INT, DeviceAttributesDescriptor.ATOMIC_CAPABILITY, capability);
            DeviceQuery.requireAtomics(device.address(), "siw0", provider);
        }
    }

    @Test
    void refusesAtomicsWhereTheDeviceHasNone() throws Exception {
        requireAtomics(1);
        requireAtomics(2);

        assertThatThrownBy(() -> requireAtomics(DeviceAttributesDescriptor.NO_ATOMICS))
                .isInstanceOfSatisfying(
                        UnsupportedCapabilityException.class,
                        e -> assertThat(e.capability()).isEqualTo(Capability.ATOMICS))
                .hasMessageContaining("siw0");
    }
}
