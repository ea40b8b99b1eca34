package io.rdmanet.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameDescriptorTest {
    private static final int SLOT_BYTES = 1024;

    @ParameterizedTest
    @CsvSource({"0,0,0,0", "1,1,1,1", "2,255,65535,0", "8,4,16384,2147483647", "4,128,32768,65536"})
    void returnsWhatWasEncoded(int flags, int acks, int credits, int length) {
        long header = FrameDescriptor.encode(flags, acks, credits, length);

        assertThat(FrameDescriptor.flags(header)).isEqualTo(flags);
        assertThat(FrameDescriptor.controlAcks(header)).isEqualTo(acks);
        assertThat(FrameDescriptor.credits(header)).isEqualTo(credits);
        assertThat(FrameDescriptor.length(header)).isEqualTo(length);
    }

    @Test
    void laysTheHeaderOutInNetworkOrder() {
        byte[] bytes = new byte[8];
        MemorySegment memory = MemorySegment.ofArray(bytes);

        FrameDescriptor.write(
                memory, 0, FrameDescriptor.encode(FrameFlags.CREDIT, 3, 0x0102, 0x04050607));

        assertThat(bytes).containsExactly(2, 3, 1, 2, 4, 5, 6, 7);
        assertThat(FrameDescriptor.credits(FrameDescriptor.read(memory, 0))).isEqualTo(0x0102);
    }

    @ParameterizedTest
    @CsvSource({"64,128", "65,192", "127,192", "128,192", "65536,65600", "1073741824,1073741888"})
    void keepsPayloadsAligned(int slotBytes, long stride) {
        assertThat(FrameDescriptor.stride(slotBytes)).isEqualTo(stride);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 7})
    void refusesFramesShorterThanTheirHeader(int byteLength) {
        assertThat(FrameDescriptor.fault(0, byteLength, SLOT_BYTES)).contains("shorter");
    }

    @ParameterizedTest
    @CsvSource({"1,0", "0,1", "1024,0", "1024,1023", "1023,1024", "2147483647,1024"})
    void refusesALengthThatIsNotWhatArrived(int claimed, int arrived) {
        long header = FrameDescriptor.encode(FrameFlags.LAST, 0, 0, claimed);

        assertThat(FrameDescriptor.fault(header, arrived + 8, SLOT_BYTES)).contains("claims");
    }

    @Test
    void refusesALengthBeyond31Bits() {
        long header = FrameDescriptor.encode(FrameFlags.LAST, 0, 0, 0) | 0xffff_ffffL;

        assertThat(FrameDescriptor.fault(header, 8, SLOT_BYTES)).contains("4294967295");
    }

    @Test
    void refusesEveryCombinationOfFlags() {
        for (int flags = 0; flags < 256; flags++) {
            long header = FrameDescriptor.encode(flags, 0, 0, 0);
            boolean isLegal = Integer.bitCount(flags) <= 1 && flags <= FrameFlags.HELLO;

            assertThat(FrameFlags.areLegal(flags)).isEqualTo(isLegal);
            if (!isLegal) {
                assertThat(FrameDescriptor.fault(header, 8, SLOT_BYTES)).contains("does not exist");
            }
        }
    }

    @Test
    void refusesControlFramesWithPayloadAndEmptyFramesThatGoOn() {
        assertThat(fault(FrameFlags.CREDIT, 1)).contains("control");
        assertThat(fault(FrameFlags.FIN, 1)).contains("control");
        assertThat(fault(FrameFlags.MORE, 0)).contains("empty");
        assertThat(fault(FrameFlags.HELLO, 63)).contains("hello");
    }

    @Test
    void takesWhatIsLegal() {
        assertThat(fault(FrameFlags.LAST, 0)).isEmpty();
        assertThat(fault(FrameFlags.LAST, SLOT_BYTES)).isEmpty();
        assertThat(fault(FrameFlags.MORE, 1)).isEmpty();
        assertThat(fault(FrameFlags.CREDIT, 0)).isEmpty();
        assertThat(fault(FrameFlags.FIN, 0)).isEmpty();
        assertThat(fault(FrameFlags.HELLO, HelloDescriptor.LENGTH)).isEmpty();
    }

    @Test
    void neverThrowsWhateverArrives() {
        long seed = 20261129;
        System.out.println("FrameDescriptorTest seed " + seed);
        Random random = new Random(seed);
        MemorySegment memory = MemorySegment.ofArray(new long[1]);
        for (int i = 0; i < 200_000; i++) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, random.nextLong());
            long header = FrameDescriptor.read(memory, 0);
            int byteLength = random.nextInt(SLOT_BYTES + 9);

            String fault = FrameDescriptor.fault(header, byteLength, SLOT_BYTES);

            if (fault.isEmpty()) {
                assertThat(FrameDescriptor.length(header)).isEqualTo(byteLength - 8);
            }
        }
    }

    private static String fault(int flags, int length) {
        return FrameDescriptor.fault(
                FrameDescriptor.encode(flags, 0, 0, length), length + 8, SLOT_BYTES);
    }
}
