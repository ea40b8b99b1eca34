package io.rdmanet.loopback.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.GlobalIdentifier;
import io.rdmanet.verbs.GlobalRouteDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class GlobalRouteEncoderTest {
    @Test
    void writesWhatReceiversRead() {
        GlobalIdentifier source = new GlobalIdentifier(0xfd00L << 48, 1);
        GlobalIdentifier destination = new GlobalIdentifier(0xfd00L << 48, -2);

        MemorySegment route = GlobalRouteEncoder.route(source, destination);
        GlobalRouteEncoder.setLength(route, 0x0102);

        assertThat(route.byteSize()).isEqualTo(GlobalRouteDescriptor.BYTES);
        assertThat(GlobalRouteDescriptor.source(route, 0)).isEqualTo(source);
        assertThat(GlobalRouteDescriptor.destination(route, 0)).isEqualTo(destination);
        assertThat(route.get(ValueLayout.JAVA_BYTE, 4)).isEqualTo((byte) 1);
        assertThat(route.get(ValueLayout.JAVA_BYTE, 5)).isEqualTo((byte) 2);
    }
}
