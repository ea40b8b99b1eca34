package io.rdmanet.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class GlobalRouteDescriptorTest {
    private static final GlobalIdentifier SENDER = new GlobalIdentifier(0x20010db8L << 32, 1);
    private static final GlobalIdentifier RECEIVER = new GlobalIdentifier(0x20010db8L << 32, 2);
    private static final long OFFSET = 3; // receives need no alignment

    private final MemorySegment buffer =
            MemorySegment.ofArray(new byte[(int) OFFSET + GlobalRouteDescriptor.BYTES]);

    @Test
    void readsBothEndsOfAnIpv6Header() {
        writeIpv6(SENDER, RECEIVER);

        assertThat(GlobalRouteDescriptor.source(buffer, OFFSET)).isEqualTo(SENDER);
        assertThat(GlobalRouteDescriptor.destination(buffer, OFFSET)).isEqualTo(RECEIVER);
    }

    @Test
    void readsBothEndsOfAnIpv4HeaderInTheLastTwentyBytes() {
        writeIpv4();

        assertThat(GlobalRouteDescriptor.source(buffer, OFFSET))
                .isEqualTo(new GlobalIdentifier(0, 0xffff_c0a8_0001L));
        assertThat(GlobalRouteDescriptor.destination(buffer, OFFSET))
                .isEqualTo(new GlobalIdentifier(0, 0xffff_c0a8_00c7L));
    }

    @Test
    void findsAnIpv4HeaderWhoseUndefinedBytesLookLikeIpv6() {
        writeIpv4();
        buffer.set(ValueLayout.JAVA_BYTE, OFFSET, (byte) 0x60);

        assertThat(GlobalRouteDescriptor.source(buffer, OFFSET).isIpv4Mapped()).isTrue();
    }

    @Test
    void findsAnIpv6HeaderWhoseMiddleLooksLikeIpv4() {
        GlobalIdentifier sender = new GlobalIdentifier(1, 0x4500_0000L);
        writeIpv6(sender, RECEIVER);

        assertThat(GlobalRouteDescriptor.source(buffer, OFFSET)).isEqualTo(sender);
    }

    @Test
    void refusesBytesThatAreNoHeader() {
        assertThatThrownBy(() -> GlobalRouteDescriptor.source(buffer, OFFSET))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offset 3");
    }

    private void writeIpv6(GlobalIdentifier source, GlobalIdentifier destination) {
        buffer.set(ValueLayout.JAVA_BYTE, OFFSET, (byte) 0x60);
        write(8, source.toBytes());
        write(24, destination.toBytes());
    }

    /// The example of RFC 1071's usual demonstration: checksum 0xb861.
    private void writeIpv4() {
        write(
                20,
                new byte[] {
                    0x45,
                    0,
                    0,
                    0x73,
                    0,
                    0,
                    0x40,
                    0,
                    0x40,
                    0x11,
                    (byte) 0xb8,
                    0x61,
                    (byte) 0xc0,
                    (byte) 0xa8,
                    0,
                    1,
                    (byte) 0xc0,
                    (byte) 0xa8,
                    0,
                    (byte) 0xc7
                });
    }

    private void write(long at, byte[] bytes) {
        MemorySegment.copy(bytes, 0, buffer, ValueLayout.JAVA_BYTE, OFFSET + at, bytes.length);
    }
}
